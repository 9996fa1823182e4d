/** Character references: all the numbers, and the names that pages really use. */

const SPACES: readonly [string, string][] = [
  ["nbsp", " "],
  ["ensp", " "],
  ["emsp", " "],
  ["thinsp", " "],
  ["shy", ""],
  ["zwj", "\u200d"],
  ["zwnj", "\u200c"],
  ["Tab", "\t"],
  ["NewLine", "\n"],
  ["quot", '"'],
  ["bsol", "\\"],
  ["grave", "`"],
];
/** Name and character, by turns. */
const SIGNS = `
  amp & lt < gt > apos ' copy © reg ® trade ™ hellip … mdash — ndash – lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ”
  bdquo „ laquo « raquo » lsaquo ‹ rsaquo › bull • middot · para ¶ sect § deg ° plusmn ± times × divide ÷ minus −
  frac12 ½ frac14 ¼ frac34 ¾ sup1 ¹ sup2 ² sup3 ³ micro µ cent ¢ pound £ euro € yen ¥ curren ¤ larr ← uarr ↑
  rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ rArr ⇒ hArr ⇔ le ≤ ge ≥ ne ≠ asymp ≈ equiv ≡ infin ∞ sum ∑ prod ∏ radic √
  part ∂ int ∫ isin ∈ cap ∩ cup ∪ sub ⊂ sup ⊃ forall ∀ exist ∃ empty ∅ nabla ∇ and ∧ or ∨ not ¬ check ✓ cross ✗
  star ☆ alpha α beta β gamma γ delta δ epsilon ε theta θ lambda λ mu μ pi π sigma σ tau τ phi φ omega ω Delta Δ
  Sigma Σ Omega Ω Agrave À Aacute Á Acirc Â Atilde Ã Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê
  Euml Ë Igrave Ì Iacute Í Icirc Î Iuml Ï Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö Oslash Ø Ugrave Ù
  Uacute Ú Ucirc Û Uuml Ü Yacute Ý szlig ß agrave à aacute á acirc â atilde ã auml ä aring å aelig æ ccedil ç
  egrave è eacute é ecirc ê euml ë igrave ì iacute í icirc î iuml ï ntilde ñ ograve ò oacute ó ocirc ô otilde õ
  ouml ö oslash ø ugrave ù uacute ú ucirc û uuml ü yacute ý yuml ÿ OElig Œ oelig œ Scaron Š scaron š iexcl ¡
  iquest ¿ ordf ª ordm º dagger † permil ‰ prime ′ lbrace { rbrace } lbrack [ rbrack ] lpar ( rpar ) sol / vert |
  colon : semi ; comma , period . excl ! quest ? num # dollar $ percnt % ast * plus + equals = commat @ lowbar _
`
  .trim()
  .split(/\s+/);
const NAMES = new Map(SPACES);
for (let at = 0; at + 1 < SIGNS.length; at += 2) NAMES.set(SIGNS[at] ?? "", SIGNS[at + 1] ?? "");

const REFERENCE = /&(#\d{1,10}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,11});?/g;
const CODE_MAX = 0x10ffff;

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(REFERENCE, (whole, name: string) => {
    if (!name.startsWith("#")) return NAMES.get(name) ?? whole;
    const isHex = /^#x/i.test(name);
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    return code > 0 && code <= CODE_MAX ? String.fromCodePoint(code).toWellFormed() : "\ufffd";
  });
}
