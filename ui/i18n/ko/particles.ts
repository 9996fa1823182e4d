/**
 * Korean particles follow the sound before them: 계획은, 세션은 but 메모는. A text that ends a placeholder with both forms,
 * `{name}은(는)`, gets the one that fits what is put in.
 */

/** Both forms as texts write them, and each alone: after a consonant, after a vowel. */
const FORMS: Readonly<Record<string, readonly [string, string]>> = {
  "은(는)": ["은", "는"],
  "이(가)": ["이", "가"],
  "을(를)": ["을", "를"],
  "와(과)": ["과", "와"],
  "(으)로": ["으로", "로"],
};

/** A placeholder, what closes after it, and the particle. */
const AFTER = /\{(\w+)\}([)\]"'”’」]*)(은\(는\)|이\(가\)|을\(를\)|와\(과\)|\(으\)로)/g;

const HANGUL_FIRST = 0xac00;
const HANGUL_LAST = 0xd7a3;
const FINALS = 28;
const RIEUL = 8;

/** Read aloud: 영 일 이 삼 사 오 육 칠 팔 구. `l`: ends in ㄹ, `c`: in another consonant. */
const DIGITS = "clvcvvcllv";
/** Latin letters whose names end in a consonant: 엘, 엠, 엔, 알. */
const LETTERS: Readonly<Record<string, Sound>> = { l: "l", m: "c", n: "c", r: "l" };

type Sound = "c" | "l" | "v";

export function fitParticles(template: string, shown: (name: string) => string): string {
  return template.replaceAll(AFTER, (...[, name, closing, both]: string[]) => {
    const sound = lastSound(shown(name ?? ""));
    const [consonant = "", vowel = ""] = FORMS[both ?? ""] ?? [];
    const isVowel = sound === "v" || (both === "(으)로" && sound === "l"); // 서울로, but 팔은
    return `{${name}}${closing}${isVowel ? vowel : consonant}`;
  });
}

/** How the last letter or digit of it ends when it is read aloud; what cannot be read counts as a vowel. */
function lastSound(text: string): Sound {
  const last = /[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u.exec(text)?.[0]?.toLowerCase() ?? "";
  const code = last.codePointAt(0) ?? 0;
  if (code >= HANGUL_FIRST && code <= HANGUL_LAST) {
    const final = (code - HANGUL_FIRST) % FINALS;
    return final === 0 ? "v" : final === RIEUL ? "l" : "c";
  }
  if (/\d/.test(last)) return soundOf(DIGITS[Number(last)]);
  return LETTERS[last] ?? "v";
}

const soundOf = (letter: string | undefined): Sound => (letter === "c" || letter === "l" ? letter : "v");
