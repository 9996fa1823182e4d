/** Making a formatter is slow and there are few, so each is made once per language. */
const remembered = <Made>(make: (locale: string) => Made): ((locale: string) => Made) => {
  const made = new Map<string, Made>();
  return (locale) => {
    const known = made.get(locale);
    if (known !== undefined) return known;
    const fresh = make(locale);
    made.set(locale, fresh);
    return fresh;
  };
};

export const pluralRules = remembered((locale) => new Intl.PluralRules(locale));
export const numberFormat = remembered((locale) => new Intl.NumberFormat(locale));
export const dateFormat = remembered(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
);
export const timeFormat = remembered((locale) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
export const relativeFormat = remembered(
  (locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }),
);
const UNIT = { style: "unit", unitDisplay: "long" } as const;
export const hoursFormat = remembered((locale) => new Intl.NumberFormat(locale, { ...UNIT, unit: "hour" }));
export const daysFormat = remembered((locale) => new Intl.NumberFormat(locale, { ...UNIT, unit: "day" }));
export const listFormat = remembered((locale) => new Intl.ListFormat(locale, { type: "conjunction" }));
