// A separate file, so that pages that only show texts do not load the other rules of texts.

const LONG_BLANK = /[\s\u0085]{3,}/g
const BREAKS = /[\n\v\f\u0085\u2028\u2029]/g

/** Reduces gaps in texts of users to one empty line, so that they cannot fill a screen with blank lines. */
export const withoutGaps = (text: string): string =>
  text.replace(LONG_BLANK, (blank) => ((blank.match(BREAKS)?.length ?? 0) > 2 ? '\n\n' : blank))
