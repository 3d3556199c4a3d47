/** The text of a canned reply for one customer; an unknown variable stays as it is written. */
export const fillReply = (body: string, values: { name: string; agent: string; store: string }): string =>
  body.replace(/\{(name|agent|store)\}/g, (_, key: keyof typeof values) => values[key])
