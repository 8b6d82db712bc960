#!/bin/sh
# group.t - one document from many rows, and names that a store already has.
. "$(dirname "$0")/../tap.sh"

cat >bought.csv <<'END'
user_id,item_id,when
u2,Rye  Bread,1
u1,coffee,2
u2,milk,2
u1,milk,3
u2,rye bread,4
u3,,5
END
run count bought.csv --group-by user_id --text-field item_id --split none \
    -o s.cooc
is 'rows are grouped' "$rc" 0
gives 'each value of the column is a document, in order of appearance' \
    docs s.cooc milk <<'END'
document
u2
u1
END
gives 'the rows of a document give its terms' pairs s.cooc <<'END'
term1	term2	count	df1	df2
milk	coffee	1	2	1
milk	rye bread	1	2	1
END
is 'a document without terms counts' \
    "$("$COOC" stats s.cooc | sed -n 's/^documents	//p')" 3

# ---- other formats, several files

printf 'u4\ttea\nu2\ttea\n' >more.triples
for how in "bought.csv --group-by 1 --text-field item_id --split none" \
    "bought.csv --group-by user_id --text-field item_id --split none -j 1" \
    "bought.csv --group-by user_id --text-field item_id --split none \
--memory 16M"; do
    run index $how -o t.cooc -f
    run count t.cooc --rows compact
    ok "the store is the same: $how" same_documents s.cooc t.cooc
done
printf '{"u": "u1", "i": ["a", "b"]}\n{"u": "u9", "i": "c"}\n{"u": "u1", "i": "c"}\n' \
    >bought.jsonl
run count bought.jsonl --group-by u --text-field i --split none -o j.cooc -q
gives 'objects are grouped' docs j.cooc a c <<'END'
document
u1
END
printf 'a\tone two\nb\tthree\na\tfour\n' >text.tsv
run count text.tsv --group-by 1 -o v.cooc -q
gives 'lines of text are grouped' docs v.cooc one four <<'END'
document
a
END
run count more.triples --format triples --group-by 1 -o m.cooc -q
printf 'u4\ttea\nu2\ttea\nu4\tjam\n' >again.triples
gives 'rows of triples are grouped' docs m.cooc tea <<'END'
document
u4
u2
END
refuses 1 'triples that are not adjacent are not grouped without the option' \
    index again.triples --format triples -o w.cooc <<'END'
cooc: again.triples:3: document 'u4' appears again after other documents; group the rows by column 1 (--group-by)
END

# ---- many rows, little memory

awk 'BEGIN { for (i = 0; i < 300000; i++)
    printf "u%d\ti%d\n", (i * 7919) % 20011, (i * 104729) % 5003 }' >rows
sort -s -t '	' -k1,1 rows >grouped
run index rows --format triples --group-by 1 --memory 16M -o r.cooc
is 'rows that do not fit in memory are grouped' "$rc" 0
run index rows --format triples --group-by 1 -o q.cooc
ok 'the memory makes no difference' same_documents q.cooc r.cooc
run index grouped --format triples -o g.cooc
is 'as many documents, terms and postings as in the sorted file' \
    "$("$COOC" stats r.cooc | head -n 9)" "$("$COOC" stats g.cooc | head -n 9)"

# ---- what cannot be grouped

refuses 2 'an unknown column is named' \
    index bought.csv --group-by user --text-field item_id -o w.cooc <<'END'
cooc: bought.csv: has no column 'user'; the columns are: user_id, item_id, when (--group-by)
try 'cooc index --help'
END
refuses 2 'lines have no columns' \
    index grouped --format lines --group-by 1 -o w.cooc <<'END'
cooc: grouped: is in the format lines, which has no columns to group by; leave the file or the option out, or set the format if it was recognised wrongly (--group-by)
try 'cooc index --help'
END
refuses 2 'columns without names have numbers' \
    index grouped --format triples --group-by user -o w.cooc <<'END'
cooc: grouped: has no column 'user', because columns of the format triples have no names; group by column 1 (--group-by)
try 'cooc index --help'
END
refuses 2 'so do those of tsv without a header' \
    index text.tsv --group-by user -o w.cooc <<'END'
cooc: text.tsv: has no column 'user', because columns of the format tsv have no names; group by column 1 (--group-by)
try 'cooc index --help'
END
refuses 2 'parts of an index cannot group' \
    index bought.csv --group-by user_id --text-field item_id --part 1/2 \
    -o w.cooc <<'END'
cooc: the rows of one document may be in different parts; index all inputs together to group them (--group-by)
try 'cooc index --help'
END

# ---- names that the store already has

printf 'user_id,item_id,when\nu1,tea,6\nu5,tea,7\nu2,tea,8\n' >more.csv
run add s.cooc more.csv -q
is 'a known name is reported' "$rc $(cat "$TAP/err")" \
    "0 cooc: warning: 2 of 3 added documents have the names of documents of s.cooc, and both are counted; the first is 'u1'"
gives 'the documents are added' docs s.cooc tea <<'END'
document
u1
u5
u2
END
printf 'user_id,item_id,when\nu5,jam,6\nu6,tea,7\n' >one.csv
run add s.cooc one.csv -q
is 'one known name is reported' "$rc $(cat "$TAP/err")" \
    "0 cooc: warning: 1 of 2 added documents has the name of a document of s.cooc, and both are counted; the first is 'u5'"
printf 'user_id,item_id,when\nu7,jam,6\n' >new.csv
run add s.cooc new.csv -q
is 'new names are not reported' "$rc $(cat "$TAP/err")" '0 '
echo 'a b' | "$COOC" index - -o std.cooc -q
echo 'a c' | "$COOC" add std.cooc - -q 2>err
is 'documents from standard input have no names of their own' "$(cat err)" ''


# ---- a store that was read in two ways

run count bought.csv --group-by user_id --text-field item_id --split none \
    -o two.cooc -q
printf 'user_id\titem_id\nu8\tmilk\n' >other.tsv
run add two.cooc other.tsv --format tsv --text-field item_id --split none -q
is 'files of another kind are added if the options say so' "$rc" 0
refuses 2 'then nobody knows how to read the next file' \
    add two.cooc new.csv <<'END'
cooc: two.cooc: has documents that were read with different options, so it is not known how to read these; give the format and all options for them (--format)
try 'cooc add --help'
END
run add two.cooc new.csv --group-by user_id --text-field item_id --split none -q
gives 'with all options, the file is read' docs two.cooc jam <<'END'
document
u7
END
run merge s.cooc two.cooc -o both.cooc -q
is 'merged stores that disagree know no options' \
    "$(sed -n '/"reading": {/,/}/p' both.cooc/manifest.json | tr -d ' \n')" \
    '"reading":{"mixed":true},'
run index text.tsv -o one.cooc -q
run index bought.jsonl --format lines -o lines.cooc -q
run merge one.cooc lines.cooc -o kinds.cooc -q
is 'formats may differ if the options do not' \
    "$rc $(grep -c '"reading": {$' kinds.cooc/manifest.json)" '0 0'

# ---- files that an option would overwrite

printf 'the\n' >stop.txt
for option in --skip-list --stats-json; do
    refuses 2 "$option does not overwrite a list" index text.tsv --skip-bad \
        --stop stop.txt $option stop.txt -o w.cooc <<END
cooc: stop.txt: is read by this command; choose another file for $option
try 'cooc index --help'
END
    refuses 2 "$option does not overwrite an input" index text.tsv --skip-bad \
        $option text.tsv -o w.cooc <<END
cooc: text.tsv: is read by this command; choose another file for $option
try 'cooc index --help'
END
done

ended
