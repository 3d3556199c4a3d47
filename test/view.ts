import { viewMember } from '../src/admin/members/members.contract.ts'
import { required } from '../src/kit/values/required.ts'
import type { Person } from './shop.ts'

/** Returns the person with the cookie of the session that a response set. */
export function withCookieOf(person: Person, response: Response): Person {
  const set = required(
    response.headers.getSetCookie().find((one) => one.startsWith('primo=')),
    'the cookie of the session',
  )
  const cookie = set.slice(0, set.indexOf(';'))
  return {
    ...person,
    cookie,
    call: (endpoint, input, options = {}) =>
      person.call(endpoint, input, { ...options, headers: { cookie, ...options.headers } }),
  }
}

/** Makes staff see the shop as a member. Returns staff with the new cookie of their session. */
export async function seeAs(staff: Person, { id }: Pick<Person, 'id'>): Promise<Person & { until: string }> {
  let viewer = staff
  const noteCookie: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (response.ok) viewer = withCookieOf(staff, response)
    return response
  }
  const { until } = await staff.call(viewMember, { id, reason: 'A report' }, { fetch: noteCookie })
  return { ...viewer, until }
}
