/* read_cases.h - tables for test_read.c: the documents in each input file.
 *
 * The file is named f; v3 is a vocabulary of w1, w2, w3.  Documents are written
 * as name=text| with '/' for each line break.
 */
#ifndef COOC_READ_CASES_H
#define COOC_READ_CASES_H

#include "cooc_build.h"

/* Valid files and their documents. */
static const struct {
    struct cooc_index_options o;
    const char *data, *want;
} good[] = {
    { { .format = "lines" }, "a b\n\nc", "f:1=a b|f:2=|f:3=c|" },
    { { .format = "lines" }, "a\r\nb\r\n", "f:1=a|f:2=b|" },
    { { .format = "lines" }, "", "" },
    { { .format = "lines" }, "\xef\xbb\xbfx\n", "f:1=x|" },
    { { .format = "lines" }, "\xef\xbb\xbf", "" },
    { { .format = "tsv" }, "d\tx\ty\n\t\n", "d=x\ty|=|" },
    { { .format = "files" }, "a\nb\n", "f=a/b/|" },
    { { .format = "files" }, "", "f=|" },
    { { .format = "lines", .encoding = "latin1" },
      "caf\xe9\n",
      "f:1=caf\xc3\xa9|" },
    { { .format = "lines", .encoding = "shift_jis" },
      "\x93\xfa\x96\x7b",
      "f:1=\xe6\x97\xa5\xe6\x9c\xac|" },
    { { .format = "csv", .text_fields = "t" },
      "id,t\r\n1,a b\r\n\r\n2,\"c, \"\"d\"\"\ne\"\r\n",
      "1=a b|2=c, \"d\"/e|" },
    { { .format = "csv", .text_fields = "t" }, /* BOM, no id, ; and a comma */
      "\xef\xbb\xbft;u\na,b;c\n;\nx \"y\";z", "f:2=a,b|f:3=|f:4=x \"y\"|" },
    { { .format = "csv", .text_fields = "3,1", .id_field = "2",
        .no_header = true },
      "a\tn\tb\nc\tm\td\n", "n=b/a|m=d/c|" },
    { { .format = "csv", .text_fields = "a, b\nc", .delimiter = "|" },
      "c|a, b|id\nx|y|7\n", "7=y/x|" },
    { { .format = "csv", .text_fields = "2" }, /* a name before a number */
      "1,2,id\na,b,c\n", "c=b|" },
    { { .format = "csv", .text_fields = "t,k", .split = ";" },
      "id,t,k\n1, A  b;; C ,x\n2,,\n", "1=A  b/C/x/|2=|" },
    { { .format = "csv", .text_fields = "kw=k, au=t", .split = "none" },
      "id,t,k\n1,\"A;\nb\",x\n", "1=kw:x/au:A; b/|" },
    { { .format = "csv", .text_fields = "t" }, "", "" },
    { { .format = "csv", .text_fields = "t" }, "t\n", "" },
    { { .format = "tsv", .text_fields = "text" },
      "id\ttext\n1\t\"a\n", "1=\"a|" },
    { { .format = "tsv", .header = true, .text_fields = "2" },
      "id\ttext\n1\ta\n", "1=a|" },
    { { .format = "jsonl", .text_fields = "k", .split = ";" },
      "{\"id\":1,\"k\":[\"a b;c\",7,null]}\n{\"id\":2,\"k\":\"\"}",
      "1=a b/c/7/|2=|" },
    { { .format = "jsonl", .text_fields = "au=a.n,kw=k", .split = "none" },
      "{\"id\":1,\"a\":[{\"n\":\"X; Y\"},{\"n\":\"Z\"}],\"k\":\"q\"}",
      "1=au:X; Y/au:Z/kw:q/|" },
    { { .format = "jsonl" },
      "{\"id\":\"x\",\"text\":\"a\"}\n\n{\"id\":7,\"text\":[\"b\",\"c\"]}\n"
      "{\"text\":\"\\u0041\"}\n{\"id\":null}",
      "x=a|7=b/c|f:4=A|f:5=|" },
    { { .format = "jsonl", .text_fields = "t,b.x,q.r", .id_field = "m.n" },
      "{\"m\":{\"n\":\"k\"},\"t\":\"T\",\"b\":[{\"x\":\"1\"},{\"x\":\"2\"}],"
      "\"q.r\":\"dot\"}",
      "k=T/1/2/dot|" },
    { { .format = "jsonl" },
      "{\"id\":1.5,\"text\":{\"x\":1}}\n{\"id\":2,\"text\":\"a\"}",
      "1.5=|2=a|" },
    { { .format = "jsonl" }, "{\"text\":\"a\xff\"}", "f:1=a\xef\xbf\xbd|" },
    { { .format = "jsonl" }, /* lone surrogates, pairs, and no escapes */
      "{\"text\":\"a\\ud800\"}\n{\"text\":\"\\uDFFFa\"}\n"
      "{\"text\":\"\\ud83d\\u0041\\ud83d\\ud83d\\ude00\"}\n"
      "{\"text\":\"\\ud83d\\ude00\"}\n"
      "{\"text\":\"\\\\ud800\\ud800\\\\\"}",
      "f:1=a\xef\xbf\xbd|f:2=\xef\xbf\xbd"
      "a|f:3=\xef\xbf\xbd"
      "A\xef\xbf\xbd\xf0\x9f\x98\x80|f:4=\xf0\x9f\x98\x80|"
      "f:5=\\ud800\xef\xbf\xbd\\|" },
    { { .format = "jsonl" },
      "{\"text\":\"\xff\\ud800\"}",
      "f:1=\xef\xbf\xbd\xef\xbf\xbd|" },
    { { .format = "jsonl" }, /* numbers are kept as written */
      "{\"id\":0.1,\"text\":\"a\"}\n{\"id\":1e400,\"text\":[\"b\",1e999]}\n"
      "{\"id\":18446744073709551616}\n{\"id\":-0,\"x\":[-1E-999,{\"y\":1E9}]}\n"
      "{\"id\":-9223372036854775808}\n{\"id\":1.50}\n{\"id\":\"\\u00010\"}\n"
      "{\"id\" : 123456789012345678}\n{\"id\":1e2\t,\"text\":1.5}",
      "0.1=a|1e400=b|18446744073709551616=|-0=|-9223372036854775808=|1.50=|"
      "\0010=|123456789012345678=|1e2=|" },
    { { .format = "trec" },
      "<DOC>\n<DOCNO> A-1 </DOCNO>\n<HL>Top</HL><BYLINE>me</BYLINE>\n"
      "<TEXT>x &amp; <i>y</i>z<!-- no --></TEXT>\n</DOC>"
      "<doc><docno>B</docno>all <p>of it</doc>",
      "A-1=///Top/me//x & yz////|B=all /of it//|" },
    { { .format = "trec" }, /* only fields about the document are dropped */
      "<DOC><DOCNO>1</DOCNO><TITLE>t <I>u</I></TITLE><BODY>b</BODY>"
      "<DATE><P>d</P></DATE><docid>n<page>7</PAGE>p<!-- <DATE> -->c"
      "<DATED>k</DATED></DOC>",
      "1=t u/b//pc/k///|" },
    { { .format = "trec" },
      "<DOC><DOCNO>1</DOCNO><DOCOLDNO>o</DOCOLDNO>k<DOCHDR>h</DOCHDR>"
      "<html>one</html><date>two</date></DOC>",
      "1=k/one/two///|" },
    { { .format = "trec", .text_fields = "headline,Text" },
      "<DOC><DOCNO>1</DOCNO><HEADLINE>a</HEADLINE>b<TEXT>c<TEXT>d</TEXT>e"
      "</TEXT><TEXTS>f</TEXTS><TEXT>g</DOC><DOC><DOCNO>2<DATE>h</DOC>",
      "1=a/c/d/e/g//|2=|" },
    { { .format = "trec", .text_fields = "body" },
      "<DOC><DOCNO>1</DOCNO><DOCHDR><body></DOCHDR><title>a</title>"
      "<script><!-- <body> </script><body>b</body>c</DOC>",
      "1=b/|" },
    { { .format = "trec" },
      "<DOC><DOCNO>W</DOCNO><DOCHDR>http://u\nh</DOCHDR>\n<title>T</title>"
      "<body>page</DOC>\n<DOC><TEXT>n</TEXT></DOC><DOC id=\"g\"><P>q</DOC>",
      "W=/T/page//|f:2=n///|g=q//|" },
    { { .format = "trec", .record = "Story", .id_field = "@NewId",
        .text_fields = "title,body" },
      "<!DOCTYPE x SYSTEM 'x'>\n<STORIES><STORY OLDID='1'\n NEWID='21001'>"
      "<DATE>d</DATE>\n<TEXT TYPE='BRIEF'>*<TITLE>a &amp; b</TITLE>c</TEXT>"
      "</STORY>\n<STORY newid=7><BODY>d\ne</BODY></STORY>",
      "21001=a & b/|7=d/e/|" },
    { { .format = "trec", .record = "S", .id_field = "NUM" },
      "<S a='1'><NUM> n1 </NUM>x<DOC>y</DOC></S><s>z</s><S>\n<num>3</S>",
      "n1= n1 /x/y///|f:2=z//|3=/3//|" },
    { { .format = "warc" }, /* no name, and a different encoding */
      "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 4\r\n"
      "Content-Type: text/plain; charset=iso-8859-1\r\n\r\ncaf\xe9\r\n\r\n",
      "f:1=caf\xc3\xa9|" },
    { { .format = "warc" }, /* sizes that are not numbers or too large */
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: u\r\n"
      "Content-Length: 94\r\n\r\nHTTP/1.1 200 OK\r\n"
      "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
      "a\r\n0123456789\r\nF\r\nxyz",
      "u=0123456789xyz|" },
    { { .format = "warc" }, /* not chunked although declared: kept as is */
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: u\r\n"
      "Content-Length: 77\r\n\r\nHTTP/1.1 200 OK\r\n"
      "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
      "text",
      "u=text|" },
    { { .format = "warc" }, /* a response that is not HTTP */
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: u\r\n"
      "Content-Type: text/plain\r\nContent-Length: 4\r\n\r\ntext",
      "u=text|" },
    { { .format = "html" },
      "<title>A</title><script>x</script><p>b<b>o</b>ld",
      "f=A/bold/|" },
    { { .format = "triples" },
      "d1\ta\nd1\tb c\t2.5\n\nd2\ta\t0\nd3\t\n",
      "d1=a/b c/|d2=|d3=|" },
    { { .format = "uci" },
      "  4   \n3 \n 4\n2 1 7\n2 3 1\n4 3 0\n4 1 1\n",
      "1=|2=1/3/|3=|4=1/|" },
    { { .format = "uci", .vocab_file = "v3" }, "1\n3\n1\n1 3 1\n", "1=w3/|" },
    { { .format = "ldac" }, "2 0:1 5:2\n0\n1 3:0.0\n", "f:1=0/5/|f:2=|f:3=|" },
    { { .format = "ldac", .vocab_file = "v3" }, "2 0:1 2:2", "f:1=w1/w3/|" },
    { { .format = "svmlight" },
      "# c\n-1 qid:2 0:1 7:-0.5 9:0e3 # x\n\n+1\n",
      "f:2=0/7/|f:3=|f:4=|" },
    { { .format = "svmlight" }, "\n1 3:1\n \t\n# c\n\n",
      "f:1=|f:2=3/|f:3=|f:5=|" },
    { { .format = "ldac" }, "\n1 3:1\n \t\n1 4:1\r\n\r\n\n",
      "f:1=|f:2=3/|f:3=|f:4=4/|f:5=|f:6=|" },
    { { .format = "transactions" }, "\na\n \t\nb\n\n",
      "f:1=|f:2=a/|f:3=|f:4=b/|f:5=|" },
    { { .format = "lines" }, "\na\n\nb\n\n", "f:1=|f:2=a|f:3=|f:4=b|f:5=|" },
    { { .format = "svmlight", .vocab_file = "v3" },
      "1 1:1 3:1",
      "f:1=w1/w3/|" },
    { { .format = "svmlight", .vocab_file = "v3", .zero_based = true },
      "1 0:1 2:1",
      "f:1=w1/w3/|" },
    { { .format = "transactions" },
      "a b,c\t d\n\n#x\n",
      "f:1=a/b/c/d/|f:2=|f:3=#x/|" },
    { { .format = "transactions", .separators = ";" }, "a b;c", "f:1=a b/c/|" },
    { { .format = "transactions", .separators = "," },
      "milk, rye bread ,\t,\r, x\r\r\n , \n",
      "f:1=milk/rye bread/x/|f:2=|" },
};

/* Invalid files, the error code, and words in the message. */
static const struct {
    struct cooc_index_options o;
    const char *data;
    int code;
    const char *words[3];
} bad[] = {
    { { .format = "tsv" }, "a\tb\nc\n", COOC_EFORMAT, { "f:2:", "TAB" } },
    { { .format = "csv" }, "id,t\n", COOC_EINVAL, { "f: ", "id, t" } },
    { { .format = "csv", .text_fields = "x" }, "id,t\n", COOC_EINVAL,
      { "f: ", "'x'", "id, t" } },
    { { .format = "csv", .text_fields = "t", .id_field = "3" }, "id,t\n",
      COOC_EINVAL, { "f: ", "'3'", "id, t" } },
    { { .format = "csv", .text_fields = "3", .no_header = true }, "id,t\n",
      COOC_EINVAL, { "f: ", "'3'", "1 to 2" } },
    { { .format = "csv", .text_fields = "t" }, "id,t\n1,a\n2\n",
      COOC_EFORMAT, { "f:3: ", "1 field ", "2" } },
    { { .format = "csv", .text_fields = "t" }, "id,t\n1,a\n2,b,c\n",
      COOC_EFORMAT, { "f:3: ", "3 fields ", "2" } },
    { { .format = "csv", .text_fields = "t" }, "id,t\n1,\"a\n\n",
      COOC_EFORMAT, { "f:2: ", "never closed" } },
    { { .format = "csv", .text_fields = "t" }, "id,t\n\n1,\"a\" b\n",
      COOC_EFORMAT, { "f:3: ", "field 2 " } },
    { { .format = "tsv", .text_fields = "t" }, "id\tx\n", COOC_EINVAL,
      { "f: ", "'t'", "csv" } },
    { { .format = "lines", .split = ";" }, "a\n", COOC_EINVAL,
      { "split", "lines" } },
    { { .format = "tvs" }, "", COOC_EINVAL, { "tvs", "jsonl", "xml" } },
    { { .encoding = "klingon" }, "", COOC_EINVAL, { "klingon", "latin1" } },
    { { .format = "jsonl" }, "{}\n{\"a\":}", COOC_EFORMAT, { "f:2:", "'}'" } },
    { { .format = "jsonl" },
      "{\"a\":\"\\ud800\",}",
      COOC_EFORMAT,
      { "f:1:", "column 15", "'}'" } },
    { { .format = "jsonl" },
      "{\"a\":1e400,}",
      COOC_EFORMAT,
      { "f:1:", "'}'" } },
    { { .format = "jsonl" }, "{1e400:1}", COOC_EFORMAT, { "f:1:" } },
    { { .format = "jsonl" }, "{\"a\":01}", COOC_EFORMAT, { "f:1:", "'0'" } },
    { { .format = "jsonl" }, "{\"a\":1.}", COOC_EFORMAT, { "f:1:", "'1.'" } },
    { { .format = "jsonl" }, "{\"a\":1.5 2.5}", COOC_EFORMAT, { "f:1:" } },
    { { .format = "jsonl" }, "[1]\n", COOC_EFORMAT, { "f:1:", "array" } },
    { { .format = "jsonl" }, "{\"text\":\"a\"} x", COOC_EFORMAT, { "f:1:" } },
    { { .format = "jsonl" },
      "{\"title\":1,\"body\":\"x\"}\n{}",
      COOC_EINVAL,
      { "\"text\"", "body, title" } },
    { { .format = "trec" }, "x\n<DOC>\n", COOC_EFORMAT, { "f:2:", "closed" } },
    { { .format = "trec" },
      "<DOC>\n<DOCNO>1</DOCNO>\n<DOC>\n<docno>2</docno>\n</DOC>\n",
      COOC_EFORMAT,
      { "f:4:", "<DOC>", "line 1" } },
    { { .format = "trec" },
      "<DOC>a</DOC>\n<DOC><DOCNO>b<DOCNO>c</DOC>\n",
      COOC_EFORMAT,
      { "f:2:", "<DOC>", "line 2" } },
    { { .format = "trec" }, "nothing\n", COOC_EFORMAT, { "f:", "<DOC>" } },
    { { .format = "trec", .record = "S" },
      "<S>a\n<S>b</S>",
      COOC_EFORMAT,
      { "f:2:", "second <S>", "line 1" } },
    { { .format = "trec", .record = "S" },
      "<DOC>a</DOC>\n",
      COOC_EFORMAT,
      { "f:", "no <S>" } },
    { { .format = "trec", .record = "a b" }, "", COOC_EINVAL, { "'a b'" } },
    { { .format = "trec", .id_field = "@" }, "", COOC_EINVAL, { "''" } },
    { { .format = "trec", .text_fields = "body,hl" },
      "<DOC><DOCNO>1</DOCNO><TEXT>a</TEXT></DOC>\n",
      COOC_EINVAL,
      { "\"body\", \"hl\"", "DOCNO, TEXT" } },
    { { .format = "triples" },
      "a\tx\nb\ty\na\tz\n",
      COOC_EFORMAT,
      { "f:3:", "'a'", "LC_ALL=C sort -s -t $'\\t' -k1,1" } },
    { { .format = "triples" }, "a x\n", COOC_EFORMAT, { "f:1:", "TAB" } },
    { { .format = "triples" }, "a\tx\tmany\n", COOC_EFORMAT, { "f:1:" } },
    { { .format = "uci" }, "", COOC_EFORMAT, { "documents" } },
    { { .format = "uci" }, "2\n2\nx\n", COOC_EFORMAT, { "f:3:", "entries" } },
    { { .format = "uci" },
      "2\n2\n1\n3 1 1\n",
      COOC_EFORMAT,
      { "f:4:", "document 3", "1 to 2" } },
    { { .format = "uci" },
      "2\n2\n1\n1 0 1\n",
      COOC_EFORMAT,
      { "f:4:", "word 0" } },
    { { .format = "uci" },
      "2\n2\n2\n2 1 1\n1 1 1\n",
      COOC_EFORMAT,
      { "f:5:", "sort" } },
    { { .format = "uci" },
      "2\n2\n3\n2 1 1\n",
      COOC_EFORMAT,
      { "3 entries", "file has 1" } },
    { { .format = "uci" },
      "2\n2\n1\n1 1 1\n2 1 1\n",
      COOC_EFORMAT,
      { "f:5:", "more" } },
    { { .format = "uci" }, "2\n2\n1\n1 1\n", COOC_EFORMAT, { "f:4:" } },
    { { .format = "uci" }, "9999999999\n2\n0\n", COOC_ELIMIT, { "f" } },
    { { .format = "uci", .vocab_file = "v3" },
      "2\n2\n0\n",
      COOC_EFORMAT,
      { "v3", "2 words", "3" } },
    { { .format = "uci", .vocab_file = "none" },
      "2\n2\n0\n",
      COOC_ENOTFOUND,
      { "none" } },
    { { .format = "ldac" },
      "1 1:1\n2 1:1\n",
      COOC_EFORMAT,
      { "f:2:", "terms is 2", "has 1" } },
    { { .format = "ldac" }, "x 1:1\n", COOC_EFORMAT, { "f:1:", "number" } },
    { { .format = "ldac" }, "1 1-1\n", COOC_EFORMAT, { "f:1:", "1-1" } },
    { { .format = "ldac" }, "1 1:x\n", COOC_EFORMAT, { "f:1:", "weight" } },
    { { .format = "ldac", .vocab_file = "v3" },
      "1 3:1",
      COOC_EFORMAT,
      { "f:1:", "term 3", "v3" } },
    { { .format = "svmlight" }, "1:2 3:4\n", COOC_EFORMAT, { "target" } },
    { { .format = "svmlight", .vocab_file = "v3" },
      "1 0:1",
      COOC_EFORMAT,
      { "f:1:", "counted from 1" } },
    { { .format = "transactions", .separators = "\xc2\xa7" },
      "a",
      COOC_EINVAL,
      { "ASCII" } },
    { { .format = "warc" }, "HTTP/1.0\r\n", COOC_EFORMAT, { "record 1" } },
    { { .format = "warc" },
      "WARC/1.0\r\nWARC-Type: resource\r\n\r\n",
      COOC_EFORMAT,
      { "record 1", "Content-Length" } },
    { { .format = "warc" },
      "WARC/1.0\r\nContent-Length: 9\r\n",
      COOC_EFORMAT,
      { "record 1", "truncated", "header" } },
    { { .format = "warc" },
      "WARC/1.0\r\nContent-Length: 9\r\n\r\nabc",
      COOC_EFORMAT,
      { "record 1", "truncated" } },
    { { .format = "warc" },
      "WARC/1.0\nContent-Length: 1\n\na\n\nWARC/1.0\n"
      "WARC-Type: resource\nContent-Length: 16777217\n\n",
      COOC_ELIMIT,
      { "f: record 2", "16 MiB" } },
};

/* HTML pages and their text. */
static const struct {
    const char *html, *want;
} pages[] = {
    { "a<br>b<td>c", "a\nb\nc\n" },
    { "f<b>oo</b><i>t</i> x&nbsp;&eacute;&#8364;&bogus;",
      "foot x\xc2\xa0\xc3\xa9\xe2\x82\xac&bogus;\n" },
    { "<style>p{}</style><template><p>t</p></template>k"
      "<!-- c --><img alt='no'>",
      "k\n" },
    { "<meta charset=koi8-r><p>\xd4\xc1\xca\xc7\xc1",
      "\xd1\x82\xd0\xb0\xd0\xb9\xd0\xb3\xd0\xb0\n" },
    { "<meta http-equiv=a content='text/html; charset=ISO-8859-1'>\x93q",
      "\xe2\x80\x9cq\n" },
    { "<?xml version='1.0' encoding = 'koi8-r'?><p>\xd4\xc1\xca",
      "\xd1\x82\xd0\xb0\xd0\xb9\n" },
    { "<meta charset><meta charset=>\xef", "\xc3\xaf\n" },
    { "\xef\xbb\xbf<p>\xc3\xa9 \xe9", "\xc3\xa9 \xef\xbf\xbd\n" },
    { "caf\xe9", "caf\xc3\xa9\n" },
    { "caf\xc3\xa9 <meta charset=utf-8> \xe9",
      "caf\xc3\xa9 \n \xef\xbf\xbd\n" },
    { "<p>a < b && c <d", "a < b && c \n" },
    { "<x-y>odd</x-y><p", "odd\n" },
    { "", "" },
};

/* The format detected by name and content, for one file and for a directory. */
static const struct {
    const char *name, *data, *want, *want_in_directory;
} named[] = {
    { "x.txt", "{\"text\":1}", "lines", "files" },
    { "x.TSV", "a\tb c", "tsv", "tsv" },
    { "x.tsv.gz", "a\tb\na\tc", "triples", "triples" },
    { "a/x.jsonl.zst", "", "jsonl", "jsonl" },
    { "x.ndjson", "", "jsonl", "jsonl" },
    { "x.htm", "", "html", "html" },
    { "x.warc.gz", "", "warc", "warc" },
    { "x.xml", "", "xml", "xml" },
    { "reut2-000.sgm", "", "trec", "trec" },
    { "a/x.XML.bz2", "<html>", "xml", "xml" },
    { "-", "<?xml version='1.0'?>\n<list>", "xml", "files" },
    { "x.svm", "", "svmlight", "svmlight" },
    { "docword.kos.txt.gz", "", "uci", "uci" },
    { "retail.dat", "", "transactions", "files" },
    { "retail.dat", "1 2\n", "transactions", "transactions" },
    { "-", "WARC/1.0\r\n", "warc", "warc" },
    { "-", "\n <doc>\n<docno>", "trec", "trec" },
    { "-", "{\"a\": 1}\n{", "jsonl", "jsonl" },
    { "-", "{\"a\": 1e400}\n{", "jsonl", "jsonl" },
    { "-", "{\"a\": 18446744073709551616}\n{", "jsonl", "jsonl" },
    { "-", "\n1 0:1\n\n2 0:1 3:1\n", "ldac", "files" },
    { "-", "{a}\n", "lines", "files" },
    { "-", "<!DOCTYPE html><p>", "html", "html" },
    { "-", "<?xml version='1.0'?>\n<html>", "html", "html" },
    { "-", "a\tb c\nd\te\n", "tsv", "files" },
    { "-", "a\tb\nc\td\n", "tsv", "files" },
    { "-", "a\tb\na\td\t3\nx\ty\n", "triples", "files" },
    { "-", "1 2 3\n\n7\n", "transactions", "files" },
    { "-", "3\n4\n5\n1 1 1\n", "uci", "files" },
    { "-", "2 1:1 2:1\n0\n", "ldac", "files" },
    { "-", "-1 1:1 2:0.5 # c\n", "svmlight", "files" },
    { "-", "1 qid:3 1:0.5\n-1 qid:3 2:1\n", "svmlight", "files" },
    { "-", "2 1:x 2:1\n", "lines", "files" },
    { "-", "2 x:1 2:1\n", "lines", "files" },
    { "-", "1 2 3\r\n7\r\n", "transactions", "files" },
    { "-", "a\tb\na\tc\tx\n", "tsv", "files" },
    { "-", "just words\n", "lines", "files" },
    { "-", "", "lines", "files" },
};

#endif
