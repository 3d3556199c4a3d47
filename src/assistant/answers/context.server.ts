import type pg from 'pg'
import type { Vector } from '../../kit/meaning/vector.rules.ts'
import type { Help } from '../help/help.server.ts'
import type { Frame } from './answer.ts'
import type { Asking } from './asking.rules.ts'
import type { Passages } from './passages.server.ts'
import type { Products } from './products/products.server.ts'

/** A parsed question with the tools, which only read. */
export type Context = {
  userId: string
  /** Corrected, lower case. */
  text: string
  typed: string
  vector: Vector | null
  asking: Asking
  frame: Frame | null
  tools: { pool: pg.Pool; products: Products; passages: Passages; help: Help; storeName: string }
}
