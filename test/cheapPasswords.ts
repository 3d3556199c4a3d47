import { passwordCost } from '../src/identity/password/passwordHash.server.ts'

// A hash at its real cost takes 40 ms of a core, and the tests make thousands.

Object.assign(passwordCost, { memory: 64, passes: 1 })
