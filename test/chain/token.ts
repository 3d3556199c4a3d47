import { TRANSFER } from '../../src/providers/usdc/rpc.server.ts'
import { assemble } from './assembler.ts'

// The smallest token that wallets and scanners accept as USDC: transfer, balanceOf, decimals, symbol and the Transfer
// event. The storage slot with the number of an address contains its balance.

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const textWord = (text: string) => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`

const program = (symbol: string, decimals: number) => `
  # the first 4 bytes that the caller sent name the function
  PUSH 0
  CALLDATALOAD
  PUSH 224
  SHR
  DUP1
  PUSH 0xa9059cbb
  EQ
  PUSH @transfer
  JUMPI
  DUP1
  PUSH 0x70a08231
  EQ
  PUSH @balanceOf
  JUMPI
  DUP1
  PUSH 0x313ce567
  EQ
  PUSH @decimals
  JUMPI
  DUP1
  PUSH 0x95d89b41
  EQ
  PUSH @symbol
  JUMPI
  PUSH 1
  PUSH @fail
  JUMPI

fail:
  PUSH 0
  PUSH 0
  REVERT

transfer:
  # byte 4: the receiver; byte 36: the amount. Fails when the caller's balance is less than the amount
  PUSH 36
  CALLDATALOAD
  CALLER
  SLOAD
  LT
  PUSH @fail
  JUMPI
  # the caller's slot becomes balance - amount
  PUSH 36
  CALLDATALOAD
  CALLER
  SLOAD
  SUB
  CALLER
  SSTORE
  # the receiver's slot becomes balance + amount
  PUSH 36
  CALLDATALOAD
  PUSH 4
  CALLDATALOAD
  SLOAD
  ADD
  PUSH 4
  CALLDATALOAD
  SSTORE
  # the event: the amount as data; its name, the caller and the receiver as topics
  PUSH 36
  CALLDATALOAD
  PUSH 0
  MSTORE
  PUSH 4
  CALLDATALOAD
  CALLER
  PUSH ${TRANSFER}
  PUSH 32
  PUSH 0
  LOG3
  # answers true
  PUSH 1
  PUSH 0
  MSTORE
  PUSH 32
  PUSH 0
  RETURN

balanceOf:
  PUSH 4
  CALLDATALOAD
  SLOAD
  PUSH 0
  MSTORE
  PUSH 32
  PUSH 0
  RETURN

decimals:
  PUSH ${decimals}
  PUSH 0
  MSTORE
  PUSH 32
  PUSH 0
  RETURN

symbol:
  # a text is its offset, its length, and its bytes
  PUSH 32
  PUSH 0
  MSTORE
  PUSH ${symbol.length}
  PUSH 32
  MSTORE
  PUSH ${textWord(symbol)}
  PUSH 64
  MSTORE
  PUSH 96
  PUSH 0
  RETURN
`

/** Assigns the supply to the deployer and returns the program after it as the contract's code. */
const deployment = (length: number, from: number, supply: number) => `
  PUSH ${supply}
  CALLER
  SSTORE
  PUSH ${length}
  PUSH ${from}
  PUSH 0
  CODECOPY
  PUSH ${length}
  PUSH 0
  RETURN
`

/** Returns the deployment: code that runs once, followed by the program. */
export function tokenCode({ symbol = 'USDC', decimals = 6, supply = 10 ** 15 } = {}): string {
  const code = assemble(program(symbol, decimals))
  // the first pass finds the length, which is one byte wide, so it is the same in the second pass
  const { length } = assemble(deployment(code.length, 0, supply))
  const start = assemble(deployment(code.length, length, supply))
  return `0x${hexOf(start)}${hexOf(code)}`
}

const word = (value: string) => value.replace(/^0x/, '').toLowerCase().padStart(64, '0')

/** Returns the call data that sends `units` to an address. */
export const transferCall = (to: string, units: number): string => `0xa9059cbb${word(to)}${word(units.toString(16))}`
