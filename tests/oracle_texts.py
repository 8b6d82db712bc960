"""oracle_texts.py - random text for tests/abuse/oracle.t.

A text is a list of pieces: words of one of many scripts, in odd forms, with
odd separators.  A case draws a small vocabulary first, so that its terms
co-occur in several documents.  Pieces are bytes; some are not valid UTF-8.
"""

import re

POOLS = {
    "english": """the of and running runs run runner tea coffee houses house
        relational relations relate generously happily flies dying skies
        Don't don't rock'n'roll o'clock it's its' John's e-mail well-known
        U.S.A. a.m. can't'v""",
    "german": """Straße STRASSE Häuser Haus häuslich läuft laufen größer Größe
        Maße Masse Äpfel apfel Donaudampfschifffahrt ﬁnden finden Übung ẞ""",
    "french": """l'eau L’eau d'été aujourd'hui élève élèves naïve cœur
        œuvre ŒUVRE continuellement majestés qu'il ça""",
    "turkish": """İstanbul istanbul ISTANBUL ıstanbul Iğdır iğdir kitaplar
        kitabı DİŞ diş evlerinizden i̇""",
    "greek": """λόγος ΛΌΓΟΣ λόγοσ ὈΔΥΣΣΕΎΣ ὀδυσσεύς Σίσυφος ΣΊΣΥΦΟΣ ᾳ ΑΙ ΐ
        ΰ θάλασσες θάλασσα ᾼ""",
    "cyrillic": """книга книги КНИГИ Ёлка ёлка елка вечный вечная його їжак
        Ѐ Беларусь ходить ходил кућа Љубав Ǆ ǆ ǅ""",
    "arabic": """كتاب الكتاب كِتَاب والكتب كتـــاب مدرسة لا ٣٤ ۱۲۳
        می‌خواهم العربية""",
    "hebrew": """ספר הספר צה"ל ג'ירף שָׁלוֹם ירושלים ד״ר יום־טוב""",
    "thai": """สวัสดีชาวโลก ภาษาไทย ประเทศไทย น้ำ กำลังกิน ที่ ๑๒๓ ខ្មែរ
        ພາສາລາວ မြန်မာဘာသာ""",
    "chinese": """中华人民共和国 中国 北京大学 你好世界 我们 的 學生 漢字
        三百 〇 々""",
    "japanese": """日本語テキスト 東京都 カタカナ ﾊﾝｶｸ ひらがな きょう ラーメン
        スーパー がぎ がぎ 食べました ヴァ""",
    "korean": """안녕하세요 한국어 가각 각 대한민국 ᄒᆞᆫ글""",
    "indic": """हिन्दी क्षत्रिय किताबें किताब தமிழ் மொழி नेपाली বাংলা ১২৩
        తెలుగు""",
    "emoji": """👩🏽‍🚀 👨‍👩‍👧 ❤️ 🇩🇪🇫🇷 1️⃣ #️⃣ 👍🏿 ✈️x Ⓜ️ Ⓜab ™word 🏴‍☠️
        a‍Ⓜ ©2020 ㊗ ‍Ⓜjoined -‍Ⓜ 🅰team""",
    "marks": r"""a\u0308\u0323 a\u0323\u0308 \u1ea1\u0308 \u00e4\u0323 e\u0301
        \u00e9 E\u0301 u\u0308\u0301 \u01d8 q\u0307\u0323 q\u0323\u0307 \u212b
        \u00c5 A\u030a \u00e5 \u0308start a\u034fb \u2126 \u03a9 \u0345\u03b1
        \u03b1\u0345 \u0391\u0345\u0301 \u0390 \u03b9\u0308\u0301 \u0149
        \u01f0 a\u0306\u0301 \u1eaf \u1e9b\u0323 \u017f\u0307\u0323 i\u0307
        \u03aa\u0301 \ufb01 \u1100\u1161 \uac00 \u1fb3 \u1fb4""",
    "invisible": r"""soft\u00adhyphen softhyphen zero\u200bwidth join\u200der
        non\u200cjoiner word\u2060joiner left\u200eright \u00ad\u00ad
        bo\ufeffm var\ufe01iant \u00adlead trail\u00ad \u200d\u24c2x
        e\u200d\u0301 a\u00ad\u0301 soft\u00adHyphen""",
    "numbers": """3.14 1,000 10:30 Ⅳ ½ ² 1'000 1_000 12a a12 007 ٣٫١٤ ١٬٠٠٠
        １２３ 1.000,5 5% -5 +49 1e10 0x1F 3d 𝟙𝟚 ١a 1­2 1;2 ௧௦ ௰ ① 2020s
        1́ 1. .5 1.. ____1 1″""",
    "symbols": """http://example.org/a?b=c&d#e user@mail.example.com #metoo
        @user C++ :-) --- ___ a_b _x_ x__ ... … foo.bar foo..bar a:b a·b
        a::b R&D AT&T c/o "quoted" «là» ‘single’ it’s \\ a\\b <b> &amp; & % $5
        e.g. 'tis '' ' l·l x′ 5‰ ^ ~ |""",
    "nordic": """Ærø ærø Århus århus Øl øl løbende løber þing ÐAÐ ﬀ ǿ
        kissalla talossa házakban embereknek""",
    "latin": """amigos amigas câmara frumoși ștergere niños città leidžia
        žodžiai gizonak cases fhear bhean menjalankan berjalan հայերեն գրքեր
        ייִדיש kõik ľahký ĳs ǈ""",
}
for _name in ("marks", "invisible"):
    POOLS[_name] = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)),
                          POOLS[_name])
POOLS = {name: text.split() for name, text in POOLS.items()}

# Characters of every class of UAX #29, and some that folding or NFC change.
SINGLE = list("""aAéßİıΣσςſK'’"._,;:-·‧/@#\\0٣９½ⅣⅧ²Ⓜ™❤א״ゝカﾞー々語中กำ한ᄀ각ǅŉ👍🇩🏽_‿a1""") + [
    "\u0300", "\u0323", "\u0345", "\u00ad", "\u200b", "\u200c", "\u200d",
    "\u2060", "\ufe0f", "\u20e3", "\u0e33", "\u3099", "\u0640", "\u061c",
    "\u00a0", "\u2009", "\u3000", "\u2028", "\u0085", "\u202f", "\x0b", "\x0c",
    "\x1c", "\x01", "\ufffd", "\U0001d7d8", "\U00010400", "\u1e9e", "\u0130",
    "\U0001f1eb", "\u0600", "\u0903", "\u094d", "\u1100", "\u1161", "\u11a8",
    "\ud7b0", "\uff0e", "\u2024", "\u066c", "\u0387", "\u05f3", "\u0f0b",
    "\u104a", "\u17d4", "\ufdfa", "\U000e0067", "\ue000", "\u0378",
]
BROKEN = [b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xc0\xaf",
          b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b"\xe0\x80\x80",
          b"\xf8\x88\x80\x80\x80", b"a\xffb", b"\xe2\x82a", b"x\xf0\x9f"]
SEPARATORS = [" "] * 14 + [", ", ". ", "; ", "\t", "  ", "\n", "\r", "-", "/",
                           "\u3000", "\u00a0", "! ", " (", ") ", "", "\u200b",
                           "\u2028", " \u200d", ":", "'"]


def odd_case(draw, word):
    how = draw.randrange(8)
    return (word.upper() if how == 0 else word.title() if how == 1 else
            word.swapcase() if how == 2 else word)


def odd_word(draw):
    """Characters of all classes, in random order."""
    return "".join(draw.choices(SINGLE, k=draw.randint(1, 6)))


def vocabulary(draw):
    """Some words as str, and other pieces of a text as bytes."""
    pools = draw.sample(sorted(POOLS), draw.randint(1, 4))
    words = [w for pool in pools for w in POOLS[pool]]
    words = draw.sample(words, draw.randint(2, min(len(words), 40)))
    words += [odd_word(draw) for _ in range(draw.choice((0, 0, 3, 12)))]
    if draw.random() < 0.06:
        words.append(draw.choice("aéК") * draw.choice((70, 300, 5000)))
    if draw.random() < 0.01:
        words += ["w" * 65535, "w" * 65536, "é" * 32768]
    if draw.random() < 0.15:
        words.append(draw.choice(("nul\0nul", "\0", "a\0")))
    odd = BROKEN if draw.random() < 0.2 else []
    return words, odd


def text(draw, words, odd, longest):
    """A random text: a list of pieces, bytes."""
    pieces = []
    for _ in range(draw.choice((0, 1, draw.randint(1, longest),
                                draw.randint(1, longest)))):
        word = odd_case(draw, draw.choice(words)).encode()
        if odd and draw.random() < 0.2:
            word += draw.choice(odd)
        pieces.append(word + draw.choice(SEPARATORS).encode())
    return pieces
