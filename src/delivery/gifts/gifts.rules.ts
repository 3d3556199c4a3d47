// What can be given, and in which words. Pure.

/** A text with a web address: a note reaches people who did not ask for it. */
export const hasAddress = (text: string): boolean =>
  /https?:|www\.|[\p{L}\d-]\.(?:com|net|org|io|co|info|xyz|ru|shop|app|dev|me|ly|link|site|online)\b/iu.test(text)
