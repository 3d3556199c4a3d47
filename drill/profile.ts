// `--smallest` runs a drill or a bench in seconds. It shows that the command still works; its figures mean nothing.

const args = process.argv.slice(2)

export const isSmallest = args.includes('--smallest')
export const places = args.filter((one) => one !== '--smallest')
export type Row = { drill: string; done: string; wrong: string[]; figures: string }

export const sized = <T>(full: T, smallest: T): T => (isSmallest ? smallest : full)
