import * as z from 'zod/mini'
import { Failure } from './failure.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export const ROLES = ['member', 'support', 'finance', 'admin'] as const
export type Role = (typeof ROLES)[number]
/**
 * 'staff' admits every role except 'member'. An 'admin' may call everything. 'token' is for programs: the handler
 * checks the Authorization header and ignores the session.
 */
export type Access = 'public' | 'token' | 'member' | 'staff' | 'support' | 'finance' | 'admin'

export const isForStaff = (access: Access): boolean => access !== 'public' && access !== 'member' && access !== 'token'
export const isAllowed = (access: Access, role: Role): boolean =>
  !isForStaff(access) || role === 'admin' || (role !== 'member' && (access === 'staff' || access === role))
export type Line = `${Method} /${string}`

export const STEP_UP_REQUIRED = 'step_up_required'
/** Production refuses staff without a passkey or second factor. */
export const FACTOR_NEEDED = 'factor_needed'
export const proofMissing = () => new Failure(403, 'Please verify your identity to continue', STEP_UP_REQUIRED)

export type Endpoint<I extends z.ZodMiniType = z.ZodMiniType, R extends z.ZodMiniType = z.ZodMiniType> = {
  line: Line
  access: Access
  /** Requires a fresh proof of identity. Endpoints of staff always require an active staff session. */
  stepUp: boolean
  about: string
  input: I
  reply: R
  status: 200 | 201 | 202
}

export type Input<E extends Endpoint> = z.input<E['input']>
export type Reply<E extends Endpoint> = z.output<E['reply']>

const NOTHING = /* @__PURE__ */ z.strictObject({})

type Declared<E extends Endpoint> = Pick<E, 'access' | 'about' | 'reply'> &
  Partial<Pick<E, 'input' | 'status' | 'stepUp'>>

/**
 * Declares an endpoint. `line` is method and path: 'PUT /api/cart/:id'. `input` holds path parameters, query and body
 * in one strict object. `about` describes the endpoint on the API page.
 */
export const endpoint = <R extends z.ZodMiniType, I extends z.ZodMiniType = typeof NOTHING>(
  line: Line,
  { input = NOTHING as never, status = 200, stepUp = false, ...rest }: Declared<Endpoint<I, R>>,
): Endpoint<I, R> => ({ line, input, status, stepUp, ...rest })

/** 'PUT /api/cart/:id' + { id, quantity } -> the method, '/api/cart/7', and the rest for the body or query. */
export function fillPath(line: Line, input: Record<string, unknown> = {}) {
  const [method, pattern] = line.split(' ') as [Method, string]
  const rest = { ...input }
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { method, path, rest }
}
