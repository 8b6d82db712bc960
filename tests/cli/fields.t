#!/bin/sh
# fields.t - text fields of jsonl are found by name; missing ones are reported.
. "$(dirname "$0")/../tap.sh"

cat >docs.jsonl <<'END'
{"id": 1, "title": "tea", "abstract": "milk", "meta": {"note": "rum"}}
{"id": 2, "title": "tea", "abstract": null}
{"id": 3, "title": "tea"}
{"id": 4, "abstract": "sugar", "year": 2020}
END
fields() # store
{
    python3 -c 'import json, sys
print(json.load(open(sys.argv[1] + "/manifest.json")).get("fields"))' "$1"
}

# ---- names

for list in title,abstract 'title, abstract' ' title ,	abstract ' \
    'abstract,,title,'; do
    is "both fields are found: '$list'" \
        "$(pairs_of docs.jsonl --text-field "$list")" 'tea milk 1'
    is "the manifest has both fields: '$list'" "$(fields p.cooc)" \
        "['abstract', 'title']"
done
printf '{" a": "tea", "a": "milk"}\n{"a": "rum"}\n' >blank.jsonl
is 'an exact name is preferred to a trimmed name' \
    "$(pairs_of blank.jsonl --text-field ' a'; "$COOC" terms p.cooc | cut -f1 |
       tr '\n' ' ')" 'term rum tea '
is 'the manifest has the names of the fields found' "$(fields p.cooc)" \
    "[' a', 'a']"
is 'a nested field is found' \
    "$(pairs_of docs.jsonl --text-field 'title, meta.note')" \
    'tea rum 1'
refuses 2 'a list without a name is refused' \
    index docs.jsonl --text-field ' ,' -o no.cooc <<'END'
cooc: a name is missing in the text fields ' ,'; separate names by commas, as in title,abstract (--text-field)
try 'cooc index --help'
END

# ---- fields that no record has

refuses 2 'a misspelt second field is an error' \
    index docs.jsonl --text-field title,abstrct -o no.cooc <<'END'
cooc: no record has text in the field "abstrct"; choose one of these fields: abstract, id, meta, meta.note, title, year (--text-field)
try 'cooc index --help'
END
refuses 2 'two misspelt fields are both named' \
    index docs.jsonl --text-field 'titel, abstract, nte' -o no.cooc <<'END'
cooc: no record has text in the field "titel", "nte"; choose one of these fields: abstract, id, meta, meta.note, title, year (--text-field)
try 'cooc index --help'
END
refuses 2 'the default field follows the same rule' \
    index docs.jsonl -o no.cooc <<'END'
cooc: no record has text in the field "text"; choose one of these fields: abstract, id, meta, meta.note, title, year (--text-field)
try 'cooc index --help'
END
refuses 2 'a field of numbers has no text' \
    index docs.jsonl --text-field title,year -o no.cooc <<'END'
cooc: no record has text in the field "year"; choose one of these fields: abstract, id, meta, meta.note, title, year (--text-field)
try 'cooc index --help'
END
not_ok 'an error leaves no store' ls -d no.cooc
printf '{"a": "tea", "b": null, "c": []}\n' >empty.jsonl
is 'a field without text is not missing' \
    "$(pairs_of empty.jsonl --text-field a,b,c; fields p.cooc)" \
    "['a', 'b', 'c']"
refuses 2 'an input without any text is an error' \
    index empty.jsonl --text-field b,c -o no.cooc <<'END'
cooc: no record has text in the field "b", "c"; choose one of these fields: a, b, c (--text-field)
try 'cooc index --help'
END
: >none.jsonl
run index none.jsonl --text-field a -o none.cooc
is 'an input without records has no missing fields' \
    "$rc $(field documents)" '0 0'
printf '{"text": "x"}\n' >text.jsonl
is 'fields may be in different inputs' \
    "$(pairs_of text.jsonl docs.jsonl --text-field text,title >/dev/null
       fields p.cooc)" "['text', 'title']"

# ---- warnings

awk 'BEGIN { for (i = 1; i < 10000; i++) print "{\"a\":\"tea\"}" }' >most.jsonl
{ cat most.jsonl; echo '{"a":"x"}'; echo '{"b":"milk"}'; } >late.jsonl
{ cat most.jsonl; echo '{"b":"milk"}'; } >soon.jsonl
WARNING='cooc: warning: none of the first 10000 records has text in the field "b"; the fields are: a'
for j in 1 2 5; do
    run index late.jsonl --text-field a,b -o late.cooc --force -q -j $j
    is "a field first found after 10,000 records is reported, -j $j" \
        "$rc $(cat "$TAP/err")" "0 $WARNING"
    run index soon.jsonl --text-field a,b -o soon.cooc --force -q -j $j
    is "a field found within 10,000 records is not reported, -j $j" \
        "$rc $(cat "$TAP/err")" '0 '
done
echo '{"a":"x"}' >>most.jsonl
run index most.jsonl --text-field a,b -o most.cooc
is 'a field that is never found is reported early, then an error' \
    "$rc $(cat "$TAP/err")" "2 $WARNING
cooc: no record has text in the field \"b\"; choose one of these fields: a (--text-field)
try 'cooc index --help'"
run index docs.jsonl --text-field title --id-field key -o key.cooc -q
is 'an id field that no record has is reported' "$rc $(cat "$TAP/err")" \
    "0 cooc: warning: no record has a name in the id field 'key'; documents are named by file and line"
echo 'tea milk' >lines.txt
run index lines.txt --text-field title -o lines.cooc -q
is '--text-field for a format without fields is an error' \
    "$rc $(cat "$TAP/err")" \
    "2 cooc: the choice of text fields does not apply to this input, which is in the format lines; leave the option out, or set the format if it was recognised wrongly (--text-field)
try 'cooc index --help'"
run index lines.txt -o lines.cooc -q
is 'the manifest of a format without fields has no fields' \
    "$(fields lines.cooc)" None

# ---- add and merge

run count docs.jsonl --text-field title,abstract -o s.cooc -q
is 'counting keeps the fields' "$(fields s.cooc)" "['abstract', 'title']"
printf '{"id": 5, "title": "rum"}\n' >more.jsonl
run add s.cooc more.jsonl --text-field title,abstract -q
is 'add: a missing field that the store has is a warning' \
    "$rc $(cat "$TAP/err")" \
    '0 cooc: warning: no new record has text in the field "abstract"; the fields are: id, title'
run add s.cooc more.jsonl --text-field title,abstrct -q
is 'add: a missing field that the store does not have is an error' \
    "$rc $(cat "$TAP/err")" \
    "2 cooc: no record has text in the field \"abstrct\"; choose one of these fields: id, title (--text-field)
try 'cooc add --help'"
is 'add: an error leaves the store unchanged' \
    "$(fields s.cooc) $("$COOC" stats s.cooc --json |
    grep -o '"documents": [0-9]*')" "['abstract', 'title'] \"documents\": 5"
printf '{"id": 6, "body": "tea", "title": "x"}\n' >body.jsonl
run add s.cooc body.jsonl --text-field title,body -q
is 'add: new fields are added' "$rc $(fields s.cooc)" \
    "0 ['abstract', 'body', 'title']"
run count docs.jsonl --text-field title,abstract -o a.cooc -q
run count more.jsonl --text-field title -o b.cooc -q
run count body.jsonl --text-field title,body -o c.cooc -q
run merge a.cooc b.cooc c.cooc -o abc.cooc -q
is 'merge: the result has the fields of all stores' "$(fields abc.cooc)" \
    "['abstract', 'body', 'title']"
run count docs.jsonl more.jsonl body.jsonl \
    --text-field title,abstract,body -o at_once.cooc -q
for store in s abc; do
    ok "$store is identical to one store of all documents" \
        same_documents at_once.cooc $store.cooc
done

# ---- numbers

printf '{"id": 0.1, "text": "tea", "n": 1e400}\n' >n.jsonl
printf '{"id": 1e400, "text": "tea", "n": [123456789012345678901234]}\n' \
    >>n.jsonl
run index - -o n.cooc <n.jsonl
is 'numbers of any size are read' "$rc $(field input_format)" '0 jsonl'
is 'numbers are document names as written' \
    "$("$COOC" docs n.cooc tea | tr '\n' ' ')" 'document 0.1 1e400 '
ended
