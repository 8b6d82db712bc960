"""The constants, structs and functions of the public headers.

Written by scripts/python-abi; change the headers and run it again.
"""

from ctypes import (POINTER, Structure, c_bool, c_char, c_char_p, c_double,
                    c_int, c_int64, c_size_t, c_uint, c_uint32, c_uint64,
                    c_void_p, sizeof)

VERSION = "0.1.0"
COOC_VERSION_NUMBER = 100
COOC_ALL = c_size_t(-1).value
COOC_NO_TERM = c_uint32(-1).value
COOC_COMPACT_DF_MAX = 255
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
COOC_ROWS_DEFAULT = 0
COOC_ROWS_FULL = 1
COOC_ROWS_COMPACT = 2
COOC_MATCH_ALL = 0
COOC_MATCH_ANY = 1
COOC_NOTE_ENCODING = 0
COOC_NOTE_INVALID = 1
COOC_NOTE_BAD = 2
COOC_NOTE_BINARY = 3
COOC_NOTE_EMPTY = 4
COOC_NOTE_HIDDEN = 5
COOC_NOTE_LINES = 6
COOC_MERGE_AUTO = 0
COOC_MERGE_ROWS = 1
COOC_MERGE_DOCUMENTS = 2
COOC_SHAPE_DEFAULT = 0
COOC_SHAPE_TRIANGLE = 1
COOC_SHAPE_SYMMETRIC = 2


class Sized(Structure):
    """A struct that begins with its size; all other fields default to 0."""

    def __init__(self, *fields, **named):
        super().__init__(sizeof(self), *fields, **named)


class Err(Structure):
    _fields_ = [("code", c_int), ("sys_errno", c_int), ("text", c_char * 512),
                ("path", c_char * 512), ("option", c_char * 32)]


class Info(Sized):
    _fields_ = [("size", c_size_t), ("documents", c_uint64),
                ("terms", c_uint64), ("postings", c_uint64),
                ("tokens", c_uint64), ("denominator", c_uint64),
                ("increments", c_uint64), ("counted", c_bool), ("rows", c_int),
                ("pairs", c_uint64), ("omitted_df", c_uint64),
                ("omitted_rows", c_uint64), ("omitted_pairs", c_uint64),
                ("row_bytes", c_uint64), ("store_bytes", c_uint64),
                ("part", c_uint32), ("parts", c_uint32), ("phrases", c_uint64)]


class TermFilter(Sized):
    _fields_ = [("size", c_size_t), ("prefix", c_char_p), ("like", c_char_p),
                ("min_df", c_uint64), ("max_df", c_uint64),
                ("limit", c_size_t)]


class Pair(Structure):
    _fields_ = [("x", c_uint32), ("y", c_uint32), ("count", c_uint64),
                ("fx", c_uint64), ("fy", c_uint64), ("total", c_uint64)]


class Measure(Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("formula", c_char_p),
                ("range", c_char_p), ("zero", c_char_p), ("directed", c_bool),
                ("lower", c_bool)]


class Scoring(Structure):
    _fields_ = [("measure", c_void_p), ("reverse", c_bool),
                ("shift", c_double), ("smoothing", c_double),
                ("reserved", c_uint64 * 4)]


class Progress(Sized):
    _fields_ = [("size", c_size_t), ("phase", c_char_p), ("unit", c_char_p),
                ("done", c_uint64), ("total", c_uint64),
                ("documents", c_uint64), ("pairs", c_uint64),
                ("bytes", c_uint64), ("share", c_double)]


class Estimate(Sized):
    _fields_ = [("size", c_size_t), ("increments", c_uint64),
                ("pairs", c_uint64), ("row_bytes", c_uint64),
                ("shards", c_uint64), ("shards_kept", c_uint64),
                ("shards_dropped", c_uint64), ("needed", c_uint64),
                ("available", c_uint64), ("batches", c_uint64),
                ("temporary", c_uint64), ("temporary_elsewhere", c_bool),
                ("temporary_available", c_uint64)]


class Note(Sized):
    _fields_ = [("size", c_size_t), ("kind", c_int), ("path", c_char_p),
                ("line", c_uint64), ("count", c_uint64), ("text", c_char_p)]


class Watch(Sized):
    _fields_ = [("size", c_size_t), ("self", c_void_p), ("progress", c_void_p),
                ("estimate", c_void_p), ("warning", c_void_p),
                ("note", c_void_p)]


class RankOptions(Sized):
    _fields_ = [("size", c_size_t), ("scoring", Scoring), ("limit", c_size_t),
                ("min_count", c_uint64), ("has_min_score", c_bool),
                ("min_score", c_double), ("min_df", c_uint64),
                ("max_df", c_uint64), ("exclude", c_void_p),
                ("n_exclude", c_size_t), ("rarer", c_bool),
                ("commoner", c_bool), ("threads", c_uint),
                ("watch", POINTER(Watch)), ("like1", c_char_p),
                ("like2", c_char_p)]


class Hit(Structure):
    _fields_ = [("pair", Pair), ("score", c_double)]


class Entry(Structure):
    _fields_ = [("term", c_uint32), ("reserved", c_uint32),
                ("count", c_uint64)]


class SimilarOptions(Sized):
    _fields_ = [("size", c_size_t), ("scoring", Scoring), ("limit", c_size_t),
                ("contexts", c_size_t), ("min_df", c_uint64),
                ("has_min_score", c_bool), ("min_score", c_double),
                ("threads", c_uint), ("watch", POINTER(Watch))]


class List(Sized):
    _fields_ = [("size", c_size_t), ("terms", c_void_p), ("n", c_size_t),
                ("unknown", c_size_t), ("first_unknown", c_char * 64)]


class Matrix(Sized):
    _fields_ = [("size", c_size_t), ("terms", c_void_p), ("n", c_size_t),
                ("min_count", c_uint64), ("symmetric", c_bool),
                ("diagonal", c_bool), ("scoring", Scoring),
                ("starts", c_void_p), ("columns", c_void_p),
                ("counts", c_void_p), ("scores", c_void_p),
                ("watch", POINTER(Watch))]


class Lengths(Sized):
    _fields_ = [("size", c_size_t), ("shortest", c_uint64),
                ("longest", c_uint64), ("mean", c_double), ("sd", c_double)]


class IndexOptions(Sized):
    _fields_ = [("size", c_size_t), ("format", c_char_p),
                ("encoding", c_char_p), ("text_fields", c_char_p),
                ("id_field", c_char_p), ("vocab_file", c_char_p),
                ("separators", c_char_p), ("zero_based", c_bool),
                ("tokens", c_char_p), ("keep_case", c_bool),
                ("drop_numbers", c_bool), ("min_length", c_uint32),
                ("max_length", c_uint32), ("stop_file", c_char_p),
                ("stem", c_char_p), ("thesaurus_file", c_char_p),
                ("min_df", c_uint64), ("max_df", c_uint64),
                ("max_df_share", c_double), ("top_terms", c_uint32),
                ("terms_file", c_char_p), ("max_doc_terms", c_uint32),
                ("threads", c_uint), ("memory", c_uint64), ("replace", c_bool),
                ("count_follows", c_bool), ("watch", POINTER(Watch)),
                ("part", c_uint32), ("parts", c_uint32),
                ("delimiter", c_char_p), ("header", c_bool),
                ("no_header", c_bool), ("split", c_char_p), ("fold", c_char_p),
                ("group_by", c_char_p), ("record", c_char_p),
                ("column", c_char_p), ("pos", c_char_p), ("skip_bad", c_bool),
                ("phrases_file", c_char_p), ("keep_phrase_words", c_bool),
                ("merge_terms_file", c_char_p)]


class IndexReport(Sized):
    _fields_ = [("size", c_size_t), ("format", c_char * 64),
                ("documents", c_uint64), ("terms", c_uint64),
                ("postings", c_uint64), ("tokens", c_uint64),
                ("input_bytes", c_uint64), ("invalid_bytes", c_uint64),
                ("skipped_inputs", c_uint64), ("skipped_stores", c_uint64),
                ("dropped_stop", c_uint64), ("dropped_short", c_uint64),
                ("dropped_long", c_uint64), ("dropped_numbers", c_uint64),
                ("dropped_thesaurus", c_uint64),
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
                ("resumable", c_bool), ("differs", c_char_p),
                ("written", c_uint64), ("bad_files", c_uint64),
                ("bad_records", c_uint64), ("ready_made", c_bool),
                ("phrases", c_uint64)]


class Tuning(Sized):
    _fields_ = [("size", c_size_t), ("batch_postings", c_uint64),
                ("flush_pairs", c_uint64), ("block_terms", c_uint32),
                ("accumulators", c_uint32), ("head_terms", c_uint32),
                ("kernel", c_char_p)]


class CountOptions(Sized):
    _fields_ = [("size", c_size_t), ("method", c_char_p), ("threads", c_uint),
                ("memory", c_uint64), ("tmpdir", c_char_p), ("rows", c_int),
                ("compact_df", c_uint32), ("recount", c_bool),
                ("ignore_space", c_bool), ("tuning", POINTER(Tuning)),
                ("watch", POINTER(Watch)), ("written", c_uint64),
                ("label", c_char_p), ("rows_known", c_bool)]


class CountReport(Sized):
    _fields_ = [("size", c_size_t), ("estimate", POINTER(Estimate)),
                ("method", c_char_p), ("kernel", c_char_p),
                ("threads", c_uint), ("increments", c_uint64),
                ("pairs", c_uint64), ("omitted_df", c_uint64),
                ("omitted_rows", c_uint64), ("omitted_pairs", c_uint64),
                ("row_bytes", c_uint64), ("batches", c_uint64),
                ("temporary_bytes", c_uint64), ("head_terms", c_uint64),
                ("memory", c_uint64), ("shards", c_uint64),
                ("shards_done", c_uint64), ("seconds", c_double)]


class Method(Structure):
    _fields_ = [("name", c_char_p), ("summary", c_char_p)]


class MergeOptions(Sized):
    _fields_ = [("size", c_size_t), ("from", c_int), ("batch_pairs", c_uint64),
                ("replace", c_bool), ("accept_rules", c_bool),
                ("count", POINTER(CountOptions)), ("min_df", c_uint64),
                ("max_df", c_uint64), ("max_df_share", c_double),
                ("top_terms", c_uint32), ("terms_file", c_char_p)]


class MergeReport(Sized):
    _fields_ = [("size", c_size_t), ("count", POINTER(CountReport)),
                ("stores", c_uint64), ("documents", c_uint64),
                ("terms", c_uint64), ("postings", c_uint64),
                ("tokens", c_uint64), ("temporary_bytes", c_uint64),
                ("seconds_documents", c_double), ("counted", c_bool),
                ("from", c_int), ("pairs_read", c_uint64),
                ("dropped_terms_min_df", c_uint64),
                ("dropped_terms_max_df", c_uint64),
                ("dropped_terms_list", c_uint64),
                ("dropped_terms_top", c_uint64),
                ("dropped_postings", c_uint64)]


class AddOptions(Sized):
    _fields_ = [("size", c_size_t), ("input", POINTER(IndexOptions)),
                ("merge", POINTER(MergeOptions))]


class Bytes(Structure):
    _fields_ = [("data", c_char_p), ("len", c_size_t)]


class CheckReport(Sized):
    _fields_ = [("size", c_size_t), ("files", c_uint64), ("bytes", c_uint64),
                ("rows", c_uint64), ("pairs", c_uint64),
                ("increments", c_uint64)]


class ExportOptions(Sized):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("shape", c_int),
                ("scoring", Scoring), ("terms", c_void_p),
                ("n_terms", c_size_t), ("top_terms", c_uint32),
                ("min_count", c_uint64), ("has_min_score", c_bool),
                ("min_score", c_double), ("per_node", c_uint32),
                ("top_edges", c_uint64), ("nodes", c_uint32),
                ("diagonal", c_bool), ("stems", c_bool), ("threads", c_uint),
                ("memory", c_uint64), ("tmpdir", c_char_p),
                ("watch", POINTER(Watch)), ("like1", c_char_p),
                ("like2", c_char_p)]


class ExportReport(Sized):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("network", c_bool),
                ("cells", c_bool), ("terms", c_uint64), ("pairs", c_uint64),
                ("bytes", c_uint64), ("file", c_char * 4096),
                ("side_file", c_char * 4096), ("index", c_bool),
                ("documents", c_uint64), ("postings", c_uint64)]


class Cell(Structure):
    _fields_ = [("row", c_uint64), ("column", c_uint64), ("value", c_double)]


class DumpReport(Sized):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("first", c_uint64),
                ("rows", c_uint64), ("columns", c_uint64), ("cells", c_uint64),
                ("half", c_bool)]


class CounterInfo(Sized):
    _fields_ = [("size", c_size_t), ("shards", c_uint64), ("units", c_uint64),
                ("increments", c_uint64), ("omitted_df", c_uint64),
                ("method", c_char_p), ("threads", c_uint),
                ("memory", c_uint64), ("in_batches", c_bool),
                ("seconds_planning", c_double), ("seconds_bitmaps", c_double)]


class StatusInfo(Sized):
    _fields_ = [("size", c_size_t), ("counted", c_bool), ("in_parts", c_bool),
                ("rows", c_int), ("omitted_df", c_uint64),
                ("increments", c_uint64), ("shards", c_uint64),
                ("shards_done", c_uint64), ("shares", c_uint64),
                ("shares_done", c_uint64), ("done", c_double),
                ("seconds_left", c_double), ("processes", c_uint64),
                ("running", c_uint64)]


class StatusProcess(Sized):
    _fields_ = [("size", c_size_t), ("host", c_char_p), ("label", c_char_p),
                ("pid", c_uint64), ("started", c_uint64), ("last", c_uint64),
                ("units", c_uint64), ("done", c_double), ("running", c_bool),
                ("ended", c_uint64)]


class StatusUnit(Sized):
    _fields_ = [("size", c_size_t), ("is_shard", c_bool), ("first", c_uint32),
                ("last", c_uint32), ("done", c_bool), ("cost", c_double),
                ("pairs", c_uint64), ("process", c_int64),
                ("finished", c_uint64)]


class Inputs(Sized):
    _fields_ = [("size", c_size_t), ("text", c_char * 512)]


class InputFile(Sized):
    _fields_ = [("size", c_size_t), ("path", c_char_p), ("found", c_bool),
                ("bytes", c_uint64), ("modified", c_int64)]


STRUCTS = {
    "cooc_err": Err,
    "cooc_info": Info,
    "cooc_term_filter": TermFilter,
    "cooc_pair": Pair,
    "cooc_measure": Measure,
    "cooc_scoring": Scoring,
    "cooc_progress": Progress,
    "cooc_estimate": Estimate,
    "cooc_note": Note,
    "cooc_watch": Watch,
    "cooc_rank_options": RankOptions,
    "cooc_hit": Hit,
    "cooc_entry": Entry,
    "cooc_similar_options": SimilarOptions,
    "cooc_list": List,
    "cooc_matrix": Matrix,
    "cooc_lengths": Lengths,
    "cooc_index_options": IndexOptions,
    "cooc_index_report": IndexReport,
    "cooc_tuning": Tuning,
    "cooc_count_options": CountOptions,
    "cooc_count_report": CountReport,
    "cooc_method": Method,
    "cooc_merge_options": MergeOptions,
    "cooc_merge_report": MergeReport,
    "cooc_add_options": AddOptions,
    "cooc_bytes": Bytes,
    "cooc_check_report": CheckReport,
    "cooc_export_options": ExportOptions,
    "cooc_export_report": ExportReport,
    "cooc_cell": Cell,
    "cooc_dump_report": DumpReport,
    "cooc_counter_info": CounterInfo,
    "cooc_status_info": StatusInfo,
    "cooc_status_process": StatusProcess,
    "cooc_status_unit": StatusUnit,
    "cooc_inputs": Inputs,
    "cooc_input_file": InputFile,
}

FUNCTIONS = {
    "cooc_version": (c_char_p, []),
    "cooc_version_number": (c_uint, []),
    "cooc_init": (None, [c_void_p, c_size_t]),
    "cooc_free": (None, [c_void_p]),
    "cooc_global_init": (c_int, [c_uint, c_void_p]),
    "cooc_open": (c_int, [c_void_p, c_char_p, c_void_p]),
    "cooc_close": (None, [c_void_p]),
    "cooc_changed": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_info_get": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_term_name": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p,
                               c_void_p]),
    "cooc_term_stem": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p,
                               c_void_p]),
    "cooc_document_name": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p,
                                   c_void_p]),
    "cooc_term_id": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p, c_void_p,
                             c_void_p]),
    "cooc_document_id": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p,
                                 c_void_p, c_void_p]),
    "cooc_term_find": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p,
                               c_void_p]),
    "cooc_terms": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "cooc_term_df": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p]),
    "cooc_document_terms": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p,
                                    c_void_p]),
    "cooc_term_documents": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p,
                                    c_void_p]),
    "cooc_pair_get": (c_int, [c_void_p, c_uint32, c_uint32, c_void_p,
                              c_void_p]),
    "cooc_measure_get": (POINTER(Measure), [c_uint]),
    "cooc_measure_find": (c_int, [c_char_p, c_void_p, c_void_p]),
    "cooc_score": (c_double, [c_void_p, c_void_p]),
    "cooc_top": (c_int, [c_void_p, c_void_p, c_size_t, c_int, c_void_p,
                         c_void_p, c_void_p, c_void_p]),
    "cooc_row": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p, c_void_p]),
    "cooc_docs": (c_int, [c_void_p, c_void_p, c_size_t, c_int, c_void_p,
                          c_void_p, c_void_p]),
    "cooc_scratch_new": (c_int, [c_void_p, c_void_p]),
    "cooc_scratch_free": (None, [c_void_p]),
    "cooc_top_into": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_int,
                              c_void_p, c_void_p, c_void_p, c_void_p]),
    "cooc_row_into": (c_int, [c_void_p, c_void_p, c_uint32, c_void_p, c_void_p,
                              c_void_p]),
    "cooc_docs_into": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_int,
                               c_void_p, c_void_p, c_void_p]),
    "cooc_rows_open": (c_int, [c_void_p, c_void_p, c_uint32, c_uint32,
                               c_void_p]),
    "cooc_rows_next": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p,
                               c_void_p]),
    "cooc_rows_close": (None, [c_void_p]),
    "cooc_pairs": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "cooc_pairs_each": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p,
                                c_void_p]),
    "cooc_similar": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p,
                             c_void_p, c_void_p]),
    "cooc_terms_find": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t,
                                c_void_p, c_void_p]),
    "cooc_term_lookup": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p,
                                 c_void_p, c_void_p]),
    "cooc_list_read": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "cooc_list_like": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "cooc_between": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t,
                             c_void_p, c_void_p, c_void_p]),
    "cooc_within": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p,
                            c_void_p]),
    "cooc_scores": (c_int, [c_void_p, c_void_p, c_uint32, c_void_p, c_size_t,
                            c_void_p, c_void_p]),
    "cooc_term_dfs": (c_int, [c_void_p, c_uint32, c_uint32, c_void_p,
                              c_void_p]),
    "cooc_matrix_size": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_matrix_fill": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_lengths_get": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_full_bytes": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_manifest": (c_char_p, [c_void_p]),
    "cooc_rule_versions": (c_char_p, [c_void_p]),
    "cooc_format_get": (c_char_p, [c_uint]),
    "cooc_index": (c_int, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p,
                           c_void_p]),
    "cooc_method_get": (POINTER(Method), [c_uint]),
    "cooc_count": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "cooc_merge": (c_int, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p,
                           c_void_p]),
    "cooc_add": (c_int, [c_char_p, c_void_p, c_size_t, c_void_p, c_void_p,
                         c_void_p, c_void_p]),
    "cooc_replace": (c_int, [c_char_p, c_char_p, c_void_p]),
    "cooc_builder_open": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "cooc_builder_open_add": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "cooc_builder_text": (c_int, [c_void_p, c_char_p, c_size_t, c_char_p,
                                  c_size_t, c_void_p]),
    "cooc_builder_terms": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p,
                                   c_size_t, c_void_p]),
    "cooc_builder_vocab": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "cooc_builder_ids": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p,
                                 c_size_t, c_void_p]),
    "cooc_builder_finish": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_builder_finish_add": (c_int, [c_void_p, c_void_p, c_void_p,
                                        c_void_p]),
    "cooc_builder_abort": (None, [c_void_p]),
    "cooc_check": (c_int, [c_char_p, c_uint, c_void_p, c_void_p, c_void_p]),
    "cooc_export_format_get": (c_char_p, [c_uint, c_void_p]),
    "cooc_export": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "cooc_export_to": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p,
                               c_void_p, c_void_p]),
    "cooc_write_file": (c_int, [c_char_p, c_void_p, c_size_t, c_void_p]),
    "cooc_dump": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p, c_void_p,
                          c_void_p]),
    "cooc_counter_open": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "cooc_counter_info_get": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_counter_cost": (c_uint64, [c_void_p, c_uint64]),
    "cooc_counter_finished": (c_bool, [c_void_p, c_uint64]),
    "cooc_counter_look": (c_int, [c_void_p, c_uint64, c_uint64, c_void_p]),
    "cooc_counter_range": (c_int, [c_void_p, c_bool, c_uint64, c_uint64,
                                   c_void_p, c_void_p, c_void_p]),
    "cooc_counter_count": (c_int, [c_void_p, c_uint64, c_uint64, c_void_p,
                                   c_void_p]),
    "cooc_counter_close": (None, [c_void_p]),
    "cooc_status_open": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "cooc_status_info_get": (c_int, [c_void_p, c_void_p, c_void_p]),
    "cooc_status_process_get": (c_int, [c_void_p, c_uint64, c_void_p,
                                        c_void_p]),
    "cooc_status_unit_get": (c_int, [c_void_p, c_uint64, c_void_p, c_void_p]),
    "cooc_status_close": (None, [c_void_p]),
    "cooc_inputs_identify": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p,
                                     c_void_p]),
    "cooc_inputs_note": (c_int, [c_char_p, c_void_p, c_void_p]),
    "cooc_inputs_noted": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "cooc_inputs_list": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p,
                                 c_void_p, c_void_p]),
}
