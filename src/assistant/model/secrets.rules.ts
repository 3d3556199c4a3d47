/** Takes out of a message what a model must not see: addresses, numbers of cards, and codes. */
export const withoutSecrets = (text: string): string =>
  text
    .replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]')
    .replace(/\b\d(?:[ -]?\d){11,18}\b/g, '[number]')
    .replace(/\b[A-Z\d]{3,6}(?:-[A-Z\d]{3,8}){2,}\b/gi, '[code]')
