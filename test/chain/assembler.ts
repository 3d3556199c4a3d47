// A small assembler for the EVM, the stack machine of Ethereum chains. A line has one instruction. PUSH takes a number
// or a label. `PUSH 5` pushes 5 onto the stack; `ADD` pops two values and pushes their sum.

const OPCODES: Record<string, number> = {
  ADD: 0x01,
  // the top minus the value below
  SUB: 0x03,
  // 1 if the top is less than the value below
  LT: 0x10,
  EQ: 0x14,
  // shifts the value below to the right by `top` bits
  SHR: 0x1c,
  // the address of the caller
  CALLER: 0x33,
  // 32 bytes of the call data, from the offset on top
  CALLDATALOAD: 0x35,
  // copies the program into memory: to, from, length
  CODECOPY: 0x39,
  // writes to memory: offset, value
  MSTORE: 0x52,
  // reads the slot on top of the contract's storage, which outlives the call
  SLOAD: 0x54,
  // writes to storage: slot on top, value below
  SSTORE: 0x55,
  // jumps to the label on top if the value below is not 0
  JUMPI: 0x57,
  DUP1: 0x80,
  // emits an event with three topics: memory offset, length, topics
  LOG3: 0xa3,
  // returns memory: offset, length
  RETURN: 0xf3,
  // reverts everything: offset, length
  REVERT: 0xfd,
}
const PUSH1 = 0x60
const PUSH2 = 0x61
const JUMPDEST = 0x5b

const bytesOf = (value: bigint, length: number) =>
  value
    .toString(16)
    .padStart(length * 2, '0')
    .match(/../g)!
    .map((pair) => Number.parseInt(pair, 16))

/** Translates a program. `#` begins a comment, `name:` defines a label, `PUSH @name` pushes its position. */
export function assemble(text: string): Uint8Array {
  const code: number[] = []
  const places = new Map<string, number>()
  const open: { at: number; name: string }[] = []
  for (const line of text
    .split('\n')
    .map((one) => one.replace(/#.*/, '').trim())
    .filter(Boolean)) {
    const [word = '', value = ''] = line.split(/\s+/)
    if (word.endsWith(':')) {
      places.set(word.slice(0, -1), code.length)
      code.push(JUMPDEST)
    } else if (word === 'PUSH' && value.startsWith('@')) {
      open.push({ at: code.length + 1, name: value.slice(1) })
      code.push(PUSH2, 0, 0)
    } else if (word === 'PUSH') {
      const number = BigInt(value)
      const length = Math.max(1, Math.ceil(number.toString(16).length / 2))
      code.push(PUSH1 + length - 1, ...bytesOf(number, length))
    } else {
      const opcode = OPCODES[word]
      if (opcode === undefined) throw new Error(`unknown instruction: ${line}`)
      code.push(opcode)
    }
  }
  for (const { at, name } of open) code.splice(at, 2, ...bytesOf(BigInt(places.get(name)!), 2))
  return Uint8Array.from(code)
}
