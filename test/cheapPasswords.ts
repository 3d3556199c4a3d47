import { passwordCost } from '../src/identity/password/passwordHash.server.ts'

// Makes password hashes cheap: a real one takes 40 ms of a core, and the tests make thousands.

Object.assign(passwordCost, { memory: 64, passes: 1 })
