// A small assembler for the machine of EVM chains: one instruction a line, numbers after PUSH, and labels to jump to.
// The machine works on a stack. `PUSH 5` puts 5 on it, `ADD` takes two values off and puts their sum on.

const OPCODES: Record<string, number> = {
  ADD: 0x01,
  // takes the top minus the one below
  SUB: 0x03,
  // 1 when the top is less than the one below
  LT: 0x10,
  EQ: 0x14,
  // moves the value below to the right by `top` bits
  SHR: 0x1c,
  // who calls
  CALLER: 0x33,
  // 32 bytes of what the caller sent, from the byte on top
  CALLDATALOAD: 0x35,
  // copies this program into memory: to, from, length
  CODECOPY: 0x39,
  // memory: where, what
  MSTORE: 0x52,
  // the contract's storage, which outlives the call: reads the slot on top
  SLOAD: 0x54,
  // slot on top, value below
  SSTORE: 0x55,
  // jumps to the place on top if the value below is not 0
  JUMPI: 0x57,
  DUP1: 0x80,
  // writes an event with three topics: memory from, length, then the topics
  LOG3: 0xa3,
  // ends and answers memory: from, length
  RETURN: 0xf3,
  // ends and undoes everything: from, length
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

/** Translates a program; `#` begins a comment, `name:` marks a place, `PUSH @name` pushes it. */
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
