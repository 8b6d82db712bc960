"""The constants, structs and functions of cooc.h.

Written by scripts/python-abi from the header; change that, not this.
"""

from ctypes import (POINTER, Structure, c_bool, c_char, c_char_p, c_double,
                    c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p)

VERSION = "0.1.0"
COOC_OK = 0
COOC_ENOMEM = -1
COOC_EIO = -2
COOC_EFORMAT = -3
COOC_EVERSION = -4
COOC_EINVAL = -5
COOC_ENOTFOUND = -6
COOC_EEXISTS = -7
COOC_EBUSY = -8
COOC_ELIMIT = -9
COOC_ENOTCOUNTED = -10
COOC_ECANCELLED = -11
COOC_EFULL = -12
COOC_ROWS_ALL = 0
COOC_ROWS_COSTLY = 1
COOC_ROWS_AS_BEFORE = 2
COOC_ALL_OF = 0
COOC_ANY_OF = 1
COOC_SHAPE_USUAL = 0
COOC_SHAPE_TRIANGLE = 1
COOC_SHAPE_SYMMETRIC = 2
COOC_FROM_CHEAPER = 0
COOC_FROM_ROWS = 1
COOC_FROM_DOCUMENTS = 2


class Err(Structure):
    _fields_ = [("code", c_int), ("text", c_char * 512)]


class Progress(Structure):
    _fields_ = [("phase", c_char_p), ("unit", c_char_p), ("done", c_uint64),
                ("total", c_uint64), ("documents", c_uint64),
                ("pairs", c_uint64), ("bytes", c_uint64)]


class Estimate(Structure):
    _fields_ = [("increments", c_uint64), ("pairs", c_uint64),
                ("row_bytes", c_uint64), ("parts", c_uint32),
                ("parts_kept", c_uint32), ("parts_dropped", c_uint32),
                ("needed", c_uint64), ("available", c_uint64),
                ("batches", c_uint32), ("temporary", c_uint64),
                ("temporary_apart", c_bool), ("temporary_available", c_uint64)]


class Watch(Structure):
    _fields_ = [("progress", c_void_p), ("self", c_void_p),
                ("estimate", c_void_p), ("warning", c_void_p)]


class IndexOptions(Structure):
    _fields_ = [("format", c_char_p), ("encoding", c_char_p),
                ("text_fields", c_char_p), ("id_field", c_char_p),
                ("vocab_file", c_char_p), ("separators", c_char_p),
                ("zero_based", c_bool), ("tokens", c_char_p),
                ("keep_case", c_bool), ("drop_numbers", c_bool),
                ("min_length", c_uint32), ("max_length", c_uint32),
                ("stop_file", c_char_p), ("stem", c_char_p),
                ("thesaurus_file", c_char_p), ("min_df", c_uint64),
                ("max_df", c_uint64), ("max_df_share", c_double),
                ("top_terms", c_uint32), ("terms_file", c_char_p),
                ("max_doc_terms", c_uint32), ("threads", c_uint),
                ("memory", c_uint64), ("replace", c_bool),
                ("then_count", c_bool), ("watch", Watch)]


class IndexReport(Structure):
    _fields_ = [("format", c_char * 64), ("documents", c_uint64),
                ("terms", c_uint64), ("postings", c_uint64),
                ("tokens", c_uint64), ("input_bytes", c_uint64),
                ("invalid_bytes", c_uint64), ("skipped_inputs", c_uint64),
                ("skipped_stores", c_uint64), ("dropped_stop", c_uint64),
                ("dropped_short", c_uint64), ("dropped_long", c_uint64),
                ("dropped_numbers", c_uint64), ("dropped_thesaurus", c_uint64),
                ("merged_thesaurus", c_uint64), ("capped_documents", c_uint64),
                ("capped_tokens", c_uint64),
                ("dropped_terms_min_df", c_uint64),
                ("dropped_terms_max_df", c_uint64),
                ("dropped_terms_list", c_uint64),
                ("dropped_terms_top", c_uint64),
                ("dropped_postings", c_uint64), ("spilled_bytes", c_uint64),
                ("seconds_read", c_double), ("seconds_order", c_double),
                ("seconds_write", c_double), ("threads", c_uint),
                ("memory", c_uint64), ("resumed", c_bool),
                ("resumable", c_bool), ("differs", c_char_p)]


class CountOptions(Structure):
    _fields_ = [("method", c_char_p), ("threads", c_uint),
                ("memory", c_uint64), ("batch_postings", c_uint64),
                ("tmpdir", c_char_p), ("flush_pairs", c_uint64),
                ("block_terms", c_uint32), ("accumulators", c_uint32),
                ("head_terms", c_uint32), ("kernel", c_char_p),
                ("rows", c_int), ("costly_df", c_uint32), ("recount", c_bool),
                ("ignore_space", c_bool), ("watch", Watch)]


class CountReport(Structure):
    _fields_ = [("method", c_char_p), ("threads", c_uint),
                ("increments", c_uint64), ("pairs", c_uint64),
                ("left_out_df", c_uint32), ("left_out_rows", c_uint64),
                ("left_out_pairs", c_uint64), ("row_bytes", c_uint64),
                ("batches", c_uint64), ("temporary_bytes", c_uint64),
                ("seconds", c_double), ("kernel", c_char_p),
                ("head_terms", c_uint32), ("memory", c_uint64),
                ("parts", c_uint32), ("parts_done", c_uint32),
                ("estimate", Estimate)]


class Method(Structure):
    _fields_ = [("name", c_char_p), ("summary", c_char_p)]


class Info(Structure):
    _fields_ = [("documents", c_uint64), ("terms", c_uint64),
                ("postings", c_uint64), ("tokens", c_uint64),
                ("increments", c_uint64), ("counted", c_bool),
                ("pairs", c_uint64), ("rows", c_int),
                ("left_out_df", c_uint32), ("left_out_rows", c_uint64),
                ("left_out_pairs", c_uint64), ("row_bytes", c_uint64),
                ("store_bytes", c_uint64), ("shortest", c_uint64),
                ("longest", c_uint64), ("mean_length", c_double),
                ("sd_length", c_double)]


class List(Structure):
    _fields_ = [("ids", c_void_p), ("n", c_size_t), ("unknown", c_size_t),
                ("first_unknown", c_char * 64)]


class TermChoice(Structure):
    _fields_ = [("prefix", c_char_p), ("like", c_char_p), ("min_df", c_uint64),
                ("max_df", c_uint64), ("limit", c_size_t)]


class Pair(Structure):
    _fields_ = [("x", c_uint32), ("y", c_uint32), ("count", c_uint64),
                ("df_x", c_uint64), ("df_y", c_uint64),
                ("documents", c_uint64)]


class Entry(Structure):
    _fields_ = [("term", c_uint32), ("count", c_uint32)]


class Measure(Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("formula", c_char_p),
                ("range", c_char_p), ("zero", c_char_p), ("directed", c_bool),
                ("lower", c_bool)]


class By(Structure):
    _fields_ = [("measure", c_void_p), ("reverse", c_bool),
                ("shift", c_double), ("smoothing", c_double)]


class Choice(Structure):
    _fields_ = [("by", By), ("min_count", c_uint64), ("min_score", c_double),
                ("min_df", c_uint64), ("max_df", c_uint64),
                ("exclude", c_void_p), ("n_exclude", c_size_t),
                ("rarer", c_bool), ("commoner", c_bool), ("limit", c_size_t),
                ("threads", c_uint), ("watch", Watch)]


class Hit(Structure):
    _fields_ = [("pair", Pair), ("score", c_double)]


class CheckReport(Structure):
    _fields_ = [("files", c_uint64), ("bytes", c_uint64), ("rows", c_uint64),
                ("pairs", c_uint64), ("increments", c_uint64)]


class ExportOptions(Structure):
    _fields_ = [("format", c_char_p), ("shape", c_int), ("by", By),
                ("terms", c_void_p), ("n_terms", c_size_t),
                ("top_terms", c_uint32), ("min_count", c_uint64),
                ("min_score", c_double), ("per_node", c_uint32),
                ("top_edges", c_uint64), ("nodes", c_uint32),
                ("diagonal", c_bool), ("stems", c_bool), ("threads", c_uint),
                ("memory", c_uint64), ("tmpdir", c_char_p), ("watch", Watch)]


class ExportReport(Structure):
    _fields_ = [("format", c_char_p), ("network", c_bool), ("cells", c_bool),
                ("terms", c_uint64), ("pairs", c_uint64), ("bytes", c_uint64),
                ("file", c_char * 4096), ("side_file", c_char * 4096)]


class Cell(Structure):
    _fields_ = [("row", c_uint64), ("column", c_uint64), ("value", c_double)]


class DumpReport(Structure):
    _fields_ = [("format", c_char_p), ("first", c_uint64), ("rows", c_uint64),
                ("columns", c_uint64), ("cells", c_uint64), ("half", c_bool)]


class Matrix(Structure):
    _fields_ = [("terms", c_void_p), ("n", c_size_t), ("min_count", c_uint64),
                ("symmetric", c_bool), ("diagonal", c_bool), ("watch", Watch),
                ("starts", c_void_p), ("columns", c_void_p),
                ("counts", c_void_p), ("scores", c_void_p), ("by", By)]


class MergeOptions(Structure):
    _fields_ = [("pairs_from", c_int), ("batch_pairs", c_uint64),
                ("replace", c_bool), ("accept_rules", c_bool),
                ("count", CountOptions)]


class MergeReport(Structure):
    _fields_ = [("stores", c_uint64), ("documents", c_uint64),
                ("terms", c_uint64), ("postings", c_uint64),
                ("tokens", c_uint64), ("temporary_bytes", c_uint64),
                ("seconds_unite", c_double), ("counted", c_bool),
                ("pairs_from", c_int), ("pairs_read", c_uint64),
                ("count", CountReport)]


class AddOptions(Structure):
    _fields_ = [("input", IndexOptions), ("merge", MergeOptions),
                ("adjust_rows", c_bool)]


STRUCTS = {
    "cooc_err": Err,
    "cooc_progress": Progress,
    "cooc_estimate": Estimate,
    "cooc_watch": Watch,
    "cooc_index_options": IndexOptions,
    "cooc_index_report": IndexReport,
    "cooc_count_options": CountOptions,
    "cooc_count_report": CountReport,
    "cooc_method": Method,
    "cooc_info": Info,
    "cooc_list": List,
    "cooc_term_choice": TermChoice,
    "cooc_pair": Pair,
    "cooc_entry": Entry,
    "cooc_measure": Measure,
    "cooc_by": By,
    "cooc_choice": Choice,
    "cooc_hit": Hit,
    "cooc_check_report": CheckReport,
    "cooc_export_options": ExportOptions,
    "cooc_export_report": ExportReport,
    "cooc_cell": Cell,
    "cooc_dump_report": DumpReport,
    "cooc_matrix": Matrix,
    "cooc_merge_options": MergeOptions,
    "cooc_merge_report": MergeReport,
    "cooc_add_options": AddOptions,
}

FUNCTIONS = {
    "cooc_format": (c_char_p, [c_uint]),
    "cooc_index_options_init": (None, [c_void_p]),
    "cooc_index": (c_int, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p,
                           c_void_p]),
    "cooc_method": (POINTER(Method), [c_uint]),
    "cooc_count_options_init": (None, [c_void_p]),
    "cooc_count": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "cooc_open": (c_int, [c_void_p, c_char_p, c_void_p]),
    "cooc_close": (None, [c_void_p]),
    "cooc_info": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_full_bytes": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_manifest": (c_char_p, [c_void_p]),
    "cooc_find": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p, c_void_p]),
    "cooc_look_up": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p, c_void_p,
                             c_void_p]),
    "cooc_list_read": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "cooc_list_release": (None, [c_void_p]),
    "cooc_terms": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "cooc_terms_free": (None, [c_void_p]),
    "cooc_stem": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p, c_void_p]),
    "cooc_show_stems": (None, [c_void_p, c_bool]),
    "cooc_term": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p, c_void_p]),
    "cooc_document": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p,
                              c_void_p]),
    "cooc_df": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p]),
    "cooc_document_terms": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p,
                                    c_void_p]),
    "cooc_term_documents": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p,
                                    c_void_p]),
    "cooc_measure": (POINTER(Measure), [c_uint]),
    "cooc_measure_find": (c_int, [c_char_p, c_void_p, c_void_p]),
    "cooc_score": (c_double, [c_void_p, c_void_p]),
    "cooc_scores": (c_int, [c_void_p, c_void_p, c_uint32, c_void_p, c_size_t,
                            c_void_p, c_void_p]),
    "cooc_pair": (c_int, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p]),
    "cooc_choice_init": (None, [c_void_p]),
    "cooc_top": (c_int, [c_void_p, c_void_p, c_size_t, c_int, c_void_p,
                         c_void_p, c_void_p, c_void_p]),
    "cooc_pairs": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "cooc_hits_free": (None, [c_void_p]),
    "cooc_row": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p, c_void_p]),
    "cooc_row_free": (None, [c_void_p]),
    "cooc_between": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t,
                             c_void_p, c_void_p, c_void_p]),
    "cooc_within": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p,
                            c_void_p]),
    "cooc_docs": (c_int, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p,
                          c_void_p]),
    "cooc_docs_of": (c_int, [c_void_p, c_void_p, c_size_t, c_int, c_void_p,
                             c_void_p, c_void_p]),
    "cooc_docs_free": (None, [c_void_p]),
    "cooc_rows_open": (c_int, [c_void_p, c_void_p, c_uint32, c_uint32,
                               c_void_p]),
    "cooc_rows_next": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p,
                               c_void_p]),
    "cooc_rows_close": (None, [c_void_p]),
    "cooc_check": (c_int, [c_char_p, c_uint, c_void_p, c_void_p, c_void_p]),
    "cooc_rules": (c_char_p, [c_void_p]),
    "cooc_export_format": (c_char_p, [c_uint, c_void_p]),
    "cooc_export_options_init": (None, [c_void_p]),
    "cooc_export": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "cooc_write_file": (c_int, [c_char_p, c_void_p, c_size_t, c_void_p]),
    "cooc_dump": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p, c_void_p,
                          c_void_p]),
    "cooc_version": (c_char_p, []),
    "cooc_struct_size": (c_size_t, [c_char_p]),
    "cooc_dfs": (c_int, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p]),
    "cooc_matrix_size": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_matrix_fill": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_merge_options_init": (None, [c_void_p]),
    "cooc_merge": (c_int, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p,
                           c_void_p]),
    "cooc_add_options_init": (None, [c_void_p]),
    "cooc_add": (c_int, [c_char_p, c_void_p, c_size_t, c_void_p, c_void_p,
                         c_void_p, c_void_p]),
}
