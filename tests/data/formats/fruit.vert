<doc id="d1">
<s>
apple	NN	apple
<g/>
,	,	,
pear	NN	pear
</s>
</doc>
<doc id="d2">
<p>
<s>
Apple	NP	apple
pear	NN	pear
</s>
</p>
<p>
<s>
plum	NN	plum
</s>
</p>
</doc>
<doc id="d3">
<s>
plum	NN	plum
apple	NN	apple
</s>
</doc>
