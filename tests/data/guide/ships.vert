<doc id="ship-1">
<p>
<s>
The	DET	the
ships	NOUN	ship
sailed	VERB	sail
at	ADP	at
dawn	NOUN	dawn
<g/>
.	PUNCT	.
</s>
<s>
We	PRON	we
do	AUX	do
n't	PART	not
sail	VERB	sail
in	ADP	in
storms	NOUN	storm
<g/>
.	PUNCT	.
</s>
</p>
<p>
<s>
A	DET	a
storm	NOUN	storm
sank	VERB	sink
two	NUM	two
ships	NOUN	ship
<g/>
.	PUNCT	.
</s>
</p>
</doc>
<doc id="ship-2">
<p>
<s>
Storms	NOUN	storm
sink	VERB	sink
ships	NOUN	ship
<g/>
.	PUNCT	.
</s>
<s>
Good	ADJ	good
sailors	NOUN	sailor
ship	VERB	ship
no	DET	no
water	NOUN	water
<g/>
.	PUNCT	.
</s>
</p>
</doc>
<doc id="ship-3">
<p>
<s>
The	DET	the
sailor	NOUN	sailor
saw	VERB	see
a	DET	a
sail	NOUN	sail
at	ADP	at
dawn	NOUN	dawn
<g/>
.	PUNCT	.
</s>
</p>
</doc>
