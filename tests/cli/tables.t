#!/bin/sh
# tables.t - csv and tsv files, lists of terms in their fields, typed terms.
. "$(dirname "$0")/../tap.sh"

terms() # store
{
    "$COOC" terms "$1" | sed 1d | cut -f1 | sort | tr '\n' '|'
}

# ---- columns

printf 'key,title,"text, long",tags\n' >docs.csv
printf '7,Green tea,"hot\nwater","Tea; hot drink"\n' >>docs.csv
printf '8,"the ""best"" coffee",milk,coffee;TEA\n' >>docs.csv
ok 'a csv file is recognised by its name' \
    "$COOC" index docs.csv --text-field title --id-field key -o a.cooc
is 'a quoted field is read' "$(terms a.cooc)" 'best|coffee|green|tea|the|'
is 'a column names the documents' "$("$COOC" docs a.cooc best | sed 1d)" 8
ok 'a compressed csv file is recognised' sh -c \
    'gzip -k docs.csv && "$COOC" index docs.csv.gz --text-field title \
         --id-field key -o z.cooc && diff -r a.cooc z.cooc'
run index docs.csv --text-field 'text, long' -o b.cooc
is 'a name with a comma is one column' "$(terms b.cooc)" 'hot|milk|water|'
is 'without an id, documents have the numbers of their lines' \
    "$("$COOC" docs b.cooc milk | sed 1d)" docs.csv:4
run index docs.csv --text-field title --text-field 'text, long' -o c.cooc
is 'the option can be given again' "$(terms c.cooc)" \
    'best|coffee|green|hot|milk|tea|the|water|'
run index docs.csv --text-field 2,3 -o d.cooc
ok 'columns can be numbered' cmp c.cooc/forward.bin d.cooc/forward.bin
tail -n +2 docs.csv >rows.csv
run index rows.csv --no-header --text-field 2,3 --id-field 1 -o e.cooc
is 'a table without a header has numbers' "$(terms e.cooc)" "$(terms c.cooc)"
run index docs.csv --text-field title --delimiter ';' -o wrong.cooc
is 'another delimiter gives other columns' $rc 2
(printf '\357\273\277a;b\r\n'; printf '1,5;x y\r\n') >semi.csv
run index semi.csv --text-field a,b -o f.cooc
is 'a semicolon, a byte order mark and CR LF are recognised' \
    "$(terms f.cooc)" '1,5|x|y|'
printf 'a\tb\n"1\n' | "$COOC" index - --format csv --delimiter "$(printf '\t')" \
    --text-field a -o g.cooc -q 2>"$TAP/err"
is 'a quotation mark that is not closed is an error' "$(cat "$TAP/err")" \
    'cooc: -:2: a quotation mark in this row is never closed, so the rest of the file is part of the row'

refuses 2 'a csv file without text columns lists its columns' \
    index docs.csv -o wrong.cooc <<'END2'
cooc: docs.csv: name the columns to read text from; the columns are: key, title, text, long, tags (--text-field)
try 'cooc index --help'
END2
refuses 2 'an unknown column is an error that lists the columns' \
    index docs.csv --text-field titel -o wrong.cooc <<'END2'
cooc: docs.csv: has no column 'titel'; the columns are: key, title, text, long, tags (--text-field)
try 'cooc index --help'
END2
refuses 2 'an unknown id column is an error' \
    index docs.csv --text-field title --id-field id -o wrong.cooc <<'END2'
cooc: docs.csv: has no column 'id'; the columns are: key, title, text, long, tags (--id-field)
try 'cooc index --help'
END2
echo '9,x' >>docs.csv
refuses 1 'a ragged row is named' \
    index docs.csv --text-field title -o wrong.cooc <<'END2'
cooc: docs.csv:5: the row has 2 fields instead of 4; put a field that contains the delimiter ',' in quotation marks; to skip what cannot be read, add --skip-bad
END2
sed -i '$d' docs.csv
refuses 2 'a delimiter is one character' \
    index docs.csv --text-field title --delimiter ';;' -o wrong.cooc <<'END2'
cooc: the delimiter must be a single ASCII character such as ',' or ';', or tab, not ';;' (--delimiter)
try 'cooc index --help'
END2

# ---- tsv

printf 'id\ttext\tnote\n1\tblack tea\tx\n2\t"milk\ty\n' >t.tsv
run index t.tsv -o t1.cooc
is 'a tsv file is id TAB text' "$(terms t1.cooc)" 'black|milk|note|tea|text|x|y|'
run index t.tsv --text-field text -o t2.cooc
is 'a text field that line 1 names makes it a table' "$(terms t2.cooc)" \
    'black|milk|tea|'
run index t.tsv --header --text-field 2 -o t3.cooc
ok 'so does --header' cmp t2.cooc/forward.bin t3.cooc/forward.bin
refuses 2 'a name that is not in line 1 is an error' \
    index t.tsv --text-field body -o wrong.cooc <<'END2'
cooc: t.tsv: line 1 does not name any of the text fields 'body'; without a header, a tsv file is 'id TAB text'; to number columns, set the format to csv (--text-field)
try 'cooc index --help'
END2
for i in 1 2 3; do
    "$COOC" index t.tsv --text-field text --part $i/3 -o t-$i.cooc -q
done
ok 'parts of a table give the same store' sh -c \
    '"$COOC" merge t-[123].cooc -o t4.cooc -q && diff -r t2.cooc t4.cooc'

# ---- ready-made terms

run index docs.csv --text-field tags --split ';' -o k.cooc
is 'fields are split into terms' "$(terms k.cooc)" 'coffee|hot drink|tea|'
run index docs.csv --text-field tags --split none -o l.cooc
is 'or each value is a term' "$(terms l.cooc)" 'coffee;tea|tea; hot drink|'
run index docs.csv --text-field tags --split ';' --keep-case -o m.cooc
is 'case is folded unless it is kept' "$(terms m.cooc)" \
    'TEA|Tea|coffee|hot drink|'
printf '{"tags": ["Tea", " hot  drink ", ""]}\n{"tags": "coffee;TEA"}\n' >docs.jsonl
run index docs.jsonl --text-field tags --split ';' -o n.cooc
ok 'JSON arrays give the same terms' cmp k.cooc/terms.bin n.cooc/terms.bin
run index docs.csv --text-field ti=title,kw=tags --split ';' -o o.cooc
is 'typed terms have the name of their field' "$(terms o.cooc)" \
    'kw:coffee|kw:hot drink|kw:tea|ti:green tea|ti:the "best" coffee|'
is 'pairs of typed terms are counted' \
    "$("$COOC" pair o.cooc 'kw:tea' 'kw:hot drink' | grep ^count)" 'count	1'
printf '1\tTea; milk\n2\tmilk\n' >list.tsv
run index list.tsv --split ';' -o p.cooc
is 'the text of a tsv file can be a list of terms' "$(terms p.cooc)" 'milk|tea|'
printf 'one line\n' >t.txt
refuses 2 'running text and terms are not mixed' \
    index docs.csv t.txt --text-field tags --split ';' -o wrong.cooc <<'END2'
cooc: t.txt: is lines (text), but docs.csv is csv (terms to fold), and these cannot be in one store; set the format if it is recognised wrongly (--format)
try 'cooc index --help'
END2
refuses 2 'splitting needs fields' index t.txt --split ';' -o wrong.cooc <<'END2'
cooc: the choice of how to split fields does not apply to this input, which is in the format lines; leave the option out, or set the format if it was recognised wrongly (--split)
try 'cooc index --help'
END2

printf 'name;name;text\na;b;tea\n;c;milk\n' >twice.csv
refuses 2 'of two columns with a name, none is chosen' \
    index twice.csv --text-field name -o x.cooc <<'END'
cooc: twice.csv: has several columns 'name', for example 1 and 2; give the number of the column (--text-field)
try 'cooc index --help'
END
run index twice.csv --text-field text --id-field 1 -o twice.cooc -q
gives 'a row without a name is named by its line' docs twice.cooc milk <<'END'
document
twice.csv:3
END
printf 'a\tb,c\nx\ty\n' >tabs.csv
for tab in tab '\t' '	'; do
    run index tabs.csv --delimiter "$tab" --text-field b,c -o tabs.cooc -q -f
    is "a tab is written as '$tab'" "$rc" 0
done

ended
