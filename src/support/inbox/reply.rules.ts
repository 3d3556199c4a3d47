export const fillReply = (body: string, values: { name: string; agent: string; store: string }): string =>
  body.replace(/\{(name|agent|store)\}/g, (_, key: keyof typeof values) => values[key])
