// Determines from the text of a migration which tables it locks, how much it reads, and whether the former release can
// run on its schema. A test compares the locks with those of PostgreSQL.

/** Statements that a lock blocks: reads and writes, writes, or only other changes of the table. */
export type Waiting = 'reads and writes' | 'writes' | 'nothing'
export type Work = 'none' | 'reads the table' | 'builds an index' | 'writes rows'
export type Lock = { table: string; waiting: Waiting; work: Work }
/** An object that is dropped by its own name, such as an index. Only the database knows the locked table. */
export type Dropped = { dropped: string }

const NAME = String.raw`(?:IF (?:NOT )?EXISTS )?(?:ONLY )?(?:public\.)?"?(\w+)"?`
const find = (text: string, pattern: string) => new RegExp(`^${pattern}`, 'i').exec(text)?.[1]?.toLowerCase()

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

export const statementsOf = (sql: string): string[] => divide(sql).map(inOneLine).filter(Boolean)

function divide(sql: string): string[] {
  const parts = sql.match(/\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*.*?\*\/|;|[^$'"\-/;]+|./gs) ?? []
  const statements = ['']
  for (const part of parts) {
    if (part === ';') statements.push('')
    else if (!part.startsWith('--') && !part.startsWith('/*')) statements[statements.length - 1] += part
  }
  return statements
}

const VERB =
  /\b(?:ALTER (?:TABLE|VIEW|FUNCTION)|CREATE (?:TABLE|(?:UNIQUE )?INDEX|TRIGGER)|DROP (?:TABLE|VIEW|FUNCTION|SCHEMA|TYPE|TRIGGER|INDEX)|UPDATE|DELETE FROM|INSERT INTO)\b/i

const allStatementsOf = (sql: string) =>
  divide(sql).flatMap((text) => {
    // read the original text: a `--` comment in the block ends at the line break
    const [, body] = /^\s*DO\s+(?:LANGUAGE\s+\w+\s+)?\$\w*\$(.*)\$\w*\$/is.exec(text) ?? []
    if (body === undefined) return statementsOf(text)
    return statementsOf(body).flatMap((part) => (VERB.test(part) ? [part.slice(part.search(VERB))] : []))
  })

/** Returns true for a DO block with EXECUTE. Its statements exist only at run time, so a person must review it. */
export const isUnclear = (sql: string) =>
  statementsOf(sql).some((text) => /^DO\b.*\bEXECUTE\b(?! (?:FUNCTION|PROCEDURE)\b)/i.test(text))

/** Parses a single CREATE INDEX. `isConcurrent`: it cannot run in a transaction. */
export function indexOf(sql: string): { index: string; table: string; isConcurrent: boolean } | undefined {
  const [text = '', ...others] = statementsOf(sql)
  const pattern = new RegExp(
    `^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?${NAME} ON (?:ONLY )?(?:public\\.)?"?(\\w+)`,
    'i',
  )
  const [, concurrently, index, table] = pattern.exec(text) ?? []
  return index && table && others.length === 0 ? { index, table, isConcurrent: concurrently !== undefined } : undefined
}

/** Returns the locks of a file on existing tables, one for each statement and table. */
export function locksOf(sql: string): (Lock | Dropped)[] {
  const made = new Set<string>()
  return allStatementsOf(sql).flatMap((text) => {
    const table = find(text, `CREATE TABLE ${NAME}`)
    if (table) made.add(table)
    const dropped = [find(text, `DROP INDEX ${NAME}`), ...namesAfter(text, 'DROP CONSTRAINT')]
    const locks = lockingOf(text).filter((lock) => !made.has(lock.table))
    return [...locks, ...dropped.flatMap((name) => (name ? [{ dropped: name }] : []))]
  })
}

const namesAfter = (text: string, words: string) =>
  [...text.matchAll(new RegExp(`\\b${words} (?:IF EXISTS )?"?(\\w+)`, 'gi'))].map(([, name = '']) => name.toLowerCase())

function lockingOf(text: string): Lock[] {
  const lock = (table: string | undefined, waiting: Waiting, work: Work = 'none'): Lock[] =>
    table ? [{ table, waiting, work }] : []
  const referenced = () =>
    [...text.matchAll(/\bREFERENCES "?(\w+)/gi)].flatMap(([, table]) => lock(table?.toLowerCase(), 'writes'))
  const at = (pattern: string) => find(text, pattern)
  const altered = at(`ALTER TABLE ${NAME}`)
  if (altered) return [...lock(altered, ...alteringOf(text)), ...referenced()]
  if (at(`CREATE TABLE ${NAME}`)) return referenced()
  const indexed = /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?.*? ON (?:ONLY )?"?(\w+)/i.exec(text)
  if (indexed) return lock(indexed[2]?.toLowerCase(), indexed[1] ? 'nothing' : 'writes', 'builds an index')
  const triggered = /^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER .*? ON "?(\w+)/i.exec(text)
  if (triggered) return lock(triggered[1]?.toLowerCase(), 'writes')
  const untriggered = /^DROP TRIGGER .*? ON "?(\w+)/i.exec(text)
  if (untriggered) return lock(untriggered[1]?.toLowerCase(), 'reads and writes')
  if (/^DROP TABLE/i.test(text)) return lock(at(`DROP TABLE ${NAME}`), 'reads and writes')
  const locked = at(`LOCK TABLE ${NAME}`)
  if (locked) return lock(locked, / IN SHARE (?:ROW EXCLUSIVE )?MODE$/i.test(text) ? 'writes' : 'reads and writes')
  const written = at(`UPDATE ${NAME}`) ?? at(`DELETE FROM ${NAME}`) ?? at(`INSERT INTO ${NAME}`)
  if (written) return lock(written, 'nothing', 'writes rows')
  const behindWith = /^WITH .*?\) ?(?:UPDATE|DELETE FROM|INSERT INTO) "?(\w+)/i.exec(text)
  return behindWith ? lock(behindWith[1]?.toLowerCase(), 'nothing', 'writes rows') : []
}

const VOLATILE = /DEFAULT (?:gen_random_uuid|clock_timestamp|random|nextval)\(|GENERATED (?:ALWAYS|BY DEFAULT) AS/i

function alteringOf(text: string): [Waiting, Work] {
  if (/^ALTER TABLE \S+ VALIDATE CONSTRAINT [^,]*$/i.test(text)) return ['nothing', 'reads the table']
  if (VOLATILE.test(text) || /ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE/i.test(text))
    return ['reads and writes', 'writes rows']
  const isChecked =
    /\bCHECK \(|SET NOT NULL|ADD (?:CONSTRAINT \w+ )?(?:FOREIGN KEY|UNIQUE|PRIMARY KEY|EXCLUDE)|ADD COLUMN \w+ [^,]*\b(?:UNIQUE|PRIMARY KEY)/i
  if (/NOT VALID|USING INDEX/i.test(text)) return ['reads and writes', 'none']
  return ['reads and writes', isChecked.test(text) ? 'reads the table' : 'none']
}

/** Returns the reasons why the former release cannot run on the schema after this file. Empty if it can. */
export function narrowingOf(sql: string): string[] {
  const [, said] = /^-- (Expands|Narrows): /.exec(sql) ?? []
  if (said === 'Expands') return []
  if (said === 'Narrows') return ['says so']
  const made = new Set<string>()
  const unclear = isUnclear(sql) ? ['a block makes up statements while it runs'] : []
  const narrowing = allStatementsOf(sql).flatMap((text) => {
    const table = find(text, `CREATE TABLE ${NAME}`)
    if (table) made.add(table)
    const touched = find(text, `ALTER TABLE ${NAME}`) ?? /^CREATE UNIQUE INDEX .*? ON "?(\w+)/i.exec(text)?.[1]
    if (touched && made.has(touched.toLowerCase())) return []
    return NARROWING.filter(([pattern]) => pattern.test(text)).map(([, says]) => `${says}: ${text.slice(0, 80)}`)
  })
  return [...narrowing, ...unclear]
}

const NARROWING: [RegExp, string][] = [
  [/^DROP (?:TABLE|VIEW|FUNCTION|SCHEMA|TYPE)/i, 'drops what the former release may use'],
  [/^ALTER TABLE .*\bDROP (?:COLUMN )?(?!CONSTRAINT|NOT NULL|DEFAULT|EXPRESSION|IDENTITY)\w/i, 'drops a column'],
  [/^ALTER (?:TABLE|VIEW|FUNCTION) .*\bRENAME\b/i, 'renames'],
  [/^ALTER TABLE .*\bALTER (?:COLUMN )?\w+ (?:(?:SET DATA )?TYPE|SET NOT NULL|DROP DEFAULT)\b/i, 'narrows a column'],
  [/^ALTER TABLE .*\bADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b/i, 'adds a rule'],
  [/^CREATE UNIQUE INDEX/i, 'adds a rule'],
  [
    /^ALTER TABLE .*\bADD (?:COLUMN )?(?!CONSTRAINT)\w+ (?:(?!DEFAULT|GENERATED|, ADD).)*\bNOT NULL(?:(?!DEFAULT|GENERATED|, ADD).)*(?:$|, ADD)/i,
    'adds a column that the former release does not fill',
  ],
]
