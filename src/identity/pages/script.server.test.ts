import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildScript, readScript } from './script.server.ts'

test('the build has written the script, so that a start strips no types', () => {
  expect(readFileSync('dist/.signIn.js', 'utf8')).toBe(buildScript())
  expect(buildScript().endsWith(readScript())).toBe(true)
})
