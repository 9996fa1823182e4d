/**
 * Letters that look like Latin ones, folded so that a disguised word can be recognised. Only for recognising: what
 * people read is never folded. Compatibility forms (full width, mathematical, circled) that are not in the table are
 * undone by NFKD, and then it is asked again.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: "АаΑαӐӑӒӓᎪᗅꓮᴀɑ⍺Ꭿ@4ⲀⲁÅ𐊠",
  b: "ВвΒβЬьᏴᗷꓐʙƀɓᛒⲂⲃ𐊂",
  c: "СсϹϲᏟꓚᴄⅭⅽⲤⲥƈ¢𐊢",
  d: "ԀԁᎠᗞᗪꓓᴅđɗÐƊⅮⅾ",
  e: "ЕеΕεЁёЄєᎬꓰᴇɛ℮3ЭⲈⲉҽ𐊆",
  f: "ϜϝҒғᖴꓝƒꜰẝ",
  g: "ԌԍᏀᏳꓖɢɡƓɠց",
  h: "НнΗһҺᎻᕼꓧʜհⲎⲏ𐋏",
  i: "ІіΙιЇїӀӏᎥꓲıɪɩⵏǀ|!1lL∣ⅼⅠⅰ׀ןاⲒⲓíӏŁłℓᏞꓡʟⳐ𐊊",
  j: "ЈјᎫꓙᴊϳյ",
  k: "КкΚκᏦꓗᴋⲔⲕқ",
  m: "МмΜϺᎷᗰꓟᴍⅯⅿⲘⲙ𐊰",
  n: "ΝпոռⲚⲛꓠɴИиƝɲη",
  o: "ОоΟοՕօ0ᴏⲞⲟ೦൦๐໐०০ଠꓳØøσᎤ𐊒Θθ",
  p: "РрΡρᏢᑭꓑᴘⲢⲣþÞƿ𐊕",
  q: "ԚԛգզႭⵕ",
  r: "гГᎡᏒᖇꓣʀᴦⲄⲅ",
  s: "ЅѕՏᏕᏚꓢꜱ5ʂƧƨ§$𐊖",
  t: "ТтΤτᎢꓔᴛⲦⲧŦŧ†𐊗",
  u: "ՍսᑌꓴᴜυцЦʋմ∪",
  v: "ѴѵᏙᐯꓦᴠνⅤⅴ",
  w: "ԜԝᎳᏔꓪᴡѡшШωա",
  x: "ХхΧχ᙭ꓫⅩⅹⲬⲭ",
  y: "УуΥγҮүᎩꓬʏⲨⲩ",
  z: "ΖᏃꓜᴢⲌⲍʐ",
};

const FOLDED: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, lookAlikes]) =>
    Array.from(lookAlikes).map((one) => [one, letter] as const),
  ),
);

/** Alphabets of pictures that NFKD leaves alone: their first letter, and what they spell. */
const PICTURE_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6, 0xe0041, 0xe0061];

const KEPT_MAX = 4_096;
const KEPT = new Map<string, string>();

/** One character as the plain letters, digits and signs it may be read as; nothing where it cannot be seen. */
export function foldCharacter(character: string): string {
  const known = KEPT.get(character);
  if (known !== undefined) return known;
  const folded = foldedAnew(character);
  if (KEPT.size < KEPT_MAX) KEPT.set(character, folded); // texts repeat their characters
  return folded;
}

function foldedAnew(character: string): string {
  const pictured = picturedLetter(character.codePointAt(0) ?? 0);
  if (pictured !== undefined) return fold(pictured);
  const alike = FOLDED.get(character); // before NFKD, which makes another letter of a lunate sigma
  if (alike !== undefined) return alike;
  return Array.from(character.normalize("NFKD")).map(fold).join("");
}

function fold(character: string): string {
  if (/[\p{M}\p{Cf}\p{Cs}\u115F\u1160\u17B4\u17B5\u3164\uFFA0]|(?!\s)\p{Cc}/u.test(character)) return "";
  return FOLDED.get(character) ?? FOLDED.get(character.toLowerCase()) ?? character.toLowerCase();
}

function picturedLetter(codePoint: number): string | undefined {
  const first = PICTURE_ALPHABETS.find((start) => codePoint >= start && codePoint < start + 26);
  if (first !== undefined) return String.fromCodePoint(0x61 + codePoint - first);
  const isTag = codePoint >= 0xe0020 && codePoint < 0xe007f;
  return isTag ? String.fromCodePoint(codePoint - 0xe0000) : undefined;
}

/** A word reduced to what is compared: folded, and without anything between its letters. */
export const skeleton = (text: string): string =>
  Array.from(text)
    .map(foldCharacter)
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "");
