import { ACTIVE_HEADER, type CallOptions, send } from './call.ts'
import { noteServerTime } from './clock/clock.client.ts'
import { type Endpoint, type Input, type Reply, STEP_UP_REQUIRED } from './contract.ts'
import { Failure } from './failure.ts'

let notifyUnauthorized = () => {}

export function whenUnauthorized(run: () => void) {
  notifyUnauthorized = run
}

let askProof: (refused: unknown) => Promise<boolean> = async () => false

export function whenProofIsAsked(run: typeof askProof) {
  askProof = run
}

export const proveIdentity = () => askProof(undefined)

/** Headers of every call of this page. */
export const pageHeaders: Record<string, string> = {}

/** Opens sign-in after a 401 to a read. Exempt is the read of the current user: visitors always get a 401 there. */
export function notifyOfRead(error: unknown, { queryKey }: { queryKey: readonly unknown[] }) {
  if (isUnauthorized(error) && queryKey[0] !== WHO) notifyUnauthorized()
}

const WHO = '/api/auth/user'

/** Sends a call. Opens sign-in after a 401 to a write. Repeats a call after the user gives a required fresh proof. */
export async function call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Reply<E>> {
  try {
    return await withProof(() => send(endpoint, input, { fetch: fetchUsed, ...options }), input)
  } catch (error) {
    if (!endpoint.line.startsWith('GET ') && isUnauthorized(error)) notifyUnauthorized()
    throw error
  }
}

export async function withProof<T>(request: () => Promise<T>, input?: unknown): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (isProofMissing(error) && (await askProof(input))) return request()
    throw error
  }
}

export const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && /^401: .*Unauthorized/s.test(error.message)

export const isProofMissing = (error: unknown): boolean => error instanceof Failure && error.code === STEP_UP_REQUIRED

export const isMissing = (error: unknown): boolean => error instanceof Failure && error.status === 404

/** Wraps fetch. Adds the headers of the page, marks calls of staff pages in use, and reads the time of the server. */
export const fetchUsed: typeof fetch = async (input, init) => {
  const isUsed = String(input).startsWith('/api/admin/') && navigator.userActivation?.isActive
  const headers = { ...init?.headers, ...pageHeaders, ...(isUsed && { [ACTIVE_HEADER]: '1' }) }
  const response = await fetch(input, { ...init, headers })
  noteServerTime(response.headers.get('date'))
  return response
}
