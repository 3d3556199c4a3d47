// Apart from the other rules of texts, so that pages which only show one load none of them.

const LONG_BLANK = /[\s\u0085]{3,}/g
const BREAKS = /[\n\v\f\u0085\u2028\u2029]/g

/** Text from others may contain at most one empty line between two parts, so that it cannot fill a screen. */
export const withoutGaps = (text: string): string =>
  text.replace(LONG_BLANK, (blank) => ((blank.match(BREAKS)?.length ?? 0) > 2 ? '\n\n' : blank))
