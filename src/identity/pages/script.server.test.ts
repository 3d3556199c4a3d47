import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildScript, readScript } from './script.server.ts'

test('the build contains the script, so that the server need not strip types', () => {
  expect(readFileSync('dist/.signIn.js', 'utf8')).toBe(buildScript())
  expect(buildScript().endsWith(readScript())).toBe(true)
})
