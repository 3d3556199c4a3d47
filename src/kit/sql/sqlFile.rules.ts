// A .sql file contains named statements. `-- @name readCart` begins one. `-- @null price, title` lists parameters and
// columns that may be null, unless the table already allows it. `-- @type lines: CartLine[]` sets the type of a column
// or parameter. A parameter is `:userId`, so that a person can run the statement in psql.

export type SqlStatement = {
  name: string
  /** The SQL with $1, $2 ... instead of parameter names. */
  text: string
  parameters: string[]
  nullable: string[]
  types: Record<string, string>
  about: string[]
}

const NAME = /^-- @name (\w+)$/
const NULLABLE = /^-- @null (.+)$/
const TYPE = /^-- @type (\w+): (.+)$/
/** A literal, a comment, or a parameter; `::` is a cast. */
const PARTS = /'(?:[^']|'')*'|--[^\n]*|(?<![:\w]):([a-zA-Z]\w*)/g

/** Throws an Error for text before the first name. */
export function parseSqlFile(source: string): SqlStatement[] {
  const statements: { about: string[]; lines: string[] }[] = []
  let about: string[] = []
  for (const line of source.split('\n')) {
    const current = statements.at(-1)
    const isBetween = !current || current.lines.at(-1)?.endsWith(';')
    if (NAME.test(line)) {
      statements.push({ about, lines: [line] })
      about = []
    } else if (isBetween && line.startsWith('--')) about.push(line)
    else if (isBetween && line.trim()) throw new Error(`text without a name: ${line}`)
    else if (!isBetween) current.lines.push(line)
    else about = []
  }
  return statements.map(({ about: comments, lines }) => toStatement(comments, lines))
}

function toStatement(about: string[], lines: string[]): SqlStatement {
  const find = (pattern: RegExp) => lines.map((line) => pattern.exec(line)).filter((match) => match !== null)
  const isDirective = (line: string) => line.startsWith('-- @')
  const parameters: string[] = []
  const text = lines
    .filter((line) => !isDirective(line))
    .join('\n')
    .trim()
    .replace(/;$/, '')
    .replace(PARTS, (part, parameter: string | undefined) => {
      if (!parameter) return part
      if (!parameters.includes(parameter)) parameters.push(parameter)
      return `$${parameters.indexOf(parameter) + 1}`
    })
  return {
    name: find(NAME)[0]![1]!,
    text,
    parameters,
    nullable: find(NULLABLE).flatMap(([, names]) => names!.split(',').map((name) => name.trim())),
    types: Object.fromEntries(find(TYPE).map(([, column, type]) => [column!, type!])),
    about,
  }
}
