import { expect, test } from 'vitest'
import { parseSqlFile } from './sqlFile.rules.ts'

test('reads statements with their parameters, comments and directives', () => {
  const source = `-- Two lines.
-- @name readLine
-- @null note, chosen
-- @type lines: Line[]
SELECT ':no' AS text, note::text -- :neither
FROM lines WHERE id = :id AND cents > :chosen::bigint AND owner = :id;

-- @name deleteLine
DELETE FROM lines WHERE id = :id;
`
  expect(parseSqlFile(source)).toEqual([
    {
      name: 'readLine',
      text: `SELECT ':no' AS text, note::text -- :neither\nFROM lines WHERE id = $1 AND cents > $2::bigint AND owner = $1`,
      parameters: ['id', 'chosen'],
      nullable: ['note', 'chosen'],
      types: { lines: 'Line[]' },
      about: ['-- Two lines.'],
    },
    {
      name: 'deleteLine',
      text: 'DELETE FROM lines WHERE id = $1',
      parameters: ['id'],
      nullable: [],
      types: {},
      about: [],
    },
  ])
})

test('refuses text without a name', () => {
  expect(() => parseSqlFile('SELECT 1;')).toThrow('text without a name: SELECT 1;')
})
