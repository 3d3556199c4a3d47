// The provider's refusals: a status, its name for that status, and the issues that caused it.

export type Problem = { issue: string; field?: string; value?: string; location?: 'body' | 'path' | 'header' }

/** Thrown at the refusal; becomes the provider's error body, and whatever the call has written is undone. */
export class Refusal extends Error {
  readonly status: number
  readonly problems: Problem[]
  constructor(status: number, problems: Problem[] = []) {
    super(problems[0]?.issue ?? STATUSES[status]?.name ?? 'refused')
    this.name = 'Refusal'
    this.status = status
    this.problems = problems
  }
}

const STATUSES: Record<number, { name: string; message: string }> = {
  400: {
    name: 'INVALID_REQUEST',
    message: 'Request is not well-formed, syntactically incorrect, or violates schema.',
  },
  401: {
    name: 'AUTHENTICATION_FAILURE',
    message: 'Authentication failed due to missing Authorization header, or invalid authentication credentials.',
  },
  403: { name: 'NOT_AUTHORIZED', message: 'Authorization failed due to insufficient permissions.' },
  404: { name: 'RESOURCE_NOT_FOUND', message: 'The specified resource does not exist.' },
  409: { name: 'RESOURCE_CONFLICT', message: 'The server has detected a conflict while processing this request.' },
  415: {
    name: 'UNSUPPORTED_MEDIA_TYPE',
    message: "The server does not support the request payload's media type.",
  },
  422: {
    name: 'UNPROCESSABLE_ENTITY',
    message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
  },
  429: { name: 'RATE_LIMIT_REACHED', message: 'Too many requests. Blocked due to rate limiting.' },
  500: { name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error has occurred.' },
  503: { name: 'SERVICE_UNAVAILABLE', message: 'Service Unavailable.' },
}

// what each issue means, in the sandbox's words; an issue that stands under no other status is a 422
const DESCRIPTIONS: Record<string, string> = {
  AMOUNT_MISMATCH: 'The amount is not the sum of its breakdown.',
  CANNOT_BE_NEGATIVE: 'The amount must be zero or more.',
  CANNOT_BE_ZERO_OR_NEGATIVE: 'The amount must be more than zero.',
  CAPTURE_FULLY_REFUNDED: 'The capture has been refunded in full already.',
  CURRENCY_MISMATCH: 'All amounts of an order are in one currency.',
  CURRENCY_NOT_SUPPORTED: 'The currency is not supported.',
  DECIMAL_PRECISION: 'The amount has more decimals than its currency.',
  DUPLICATE_INVOICE_ID: 'The invoice id has been paid already.',
  INSTRUMENT_DECLINED: 'The instrument was declined, or cannot be used for this payment.',
  INVALID_ARRAY_MAX_ITEMS: 'The list holds too many items.',
  INVALID_ARRAY_MIN_ITEMS: 'The list holds too few items.',
  INVALID_PARAMETER_SYNTAX: 'The value does not have the expected form.',
  INVALID_PARAMETER_VALUE: 'The value is not one of the allowed ones.',
  INVALID_RESOURCE_ID: 'Nothing is known under that id.',
  INVALID_STRING_LENGTH: 'The text is too short or too long.',
  ITEM_TOTAL_MISMATCH: 'The item total is not the sum of the items.',
  ITEM_TOTAL_REQUIRED: 'An order with items needs the item total in its breakdown.',
  MALFORMED_REQUEST_JSON: 'The body is not well-formed JSON.',
  MAX_VALUE_EXCEEDED: 'The amount is too large.',
  MISSING_REQUIRED_PARAMETER: 'A required field is missing.',
  ORDER_ALREADY_CAPTURED: 'The order has been captured already; an order is captured once.',
  ORDER_NOT_APPROVED: 'The payer has not yet approved the order.',
  PAYER_ACTION_REQUIRED: 'The payer has to approve first.',
  PAYPAL_REQUEST_ID_REQUIRED: 'A call that takes money in one step needs a PayPal-Request-Id.',
  PENDING_CAPTURE: 'The capture is still pending.',
  PERMISSION_DENIED: 'This token does not allow the call.',
  PREVIOUS_REQUEST_IN_PROGRESS: 'A call with the same request id is still being worked on.',
  REFUND_AMOUNT_EXCEEDED: 'The refund is more than what is left of the capture.',
  REFUND_CAPTURE_CURRENCY_MISMATCH: 'The refund must be in the currency of its capture.',
  REFUND_NOT_ALLOWED: 'The capture cannot be refunded.',
  SETUP_TOKEN_ALREADY_TOKENIZED: 'The setup token has been used already.',
  TOKEN_ID_NOT_FOUND: 'The token is not known.',
}

const MALFORMED = new Set([
  'INVALID_ARRAY_MAX_ITEMS',
  'INVALID_ARRAY_MIN_ITEMS',
  'INVALID_PARAMETER_SYNTAX',
  'INVALID_PARAMETER_VALUE',
  'INVALID_STRING_LENGTH',
  'MALFORMED_REQUEST_JSON',
  'MISSING_REQUIRED_PARAMETER',
  'PAYPAL_REQUEST_ID_REQUIRED',
])

const OTHERS: Record<string, number> = { PERMISSION_DENIED: 403, PREVIOUS_REQUEST_IN_PROGRESS: 409 }

/** The refusal that belongs to an issue, or to the name of a status ('INTERNAL_SERVER_ERROR'). */
export function refusalFor(issue: string, more: Omit<Problem, 'issue'> = {}): Refusal {
  const named = Object.entries(STATUSES).find(([, { name }]) => name === issue)
  if (named) return new Refusal(Number(named[0]))
  const status = MALFORMED.has(issue) ? 400 : (OTHERS[issue] ?? 422)
  return new Refusal(status, [{ issue, ...more }])
}

export const notFound = () => new Refusal(404, [{ issue: 'INVALID_RESOURCE_ID', location: 'path' }])

/** The provider's error body. */
export function describeRefusal({ status, problems }: Refusal, debugId: string, links: object[] = []) {
  const { name, message } = STATUSES[status] ?? STATUSES[500]!
  const details = problems.map(({ issue, ...where }) => ({
    ...where,
    issue,
    description: DESCRIPTIONS[issue] ?? 'The call was refused.',
  }))
  const help = `https://developer.paypal.com/docs/api/orders/v2/#error-${problems[0]?.issue ?? name}`
  const information = { href: help, rel: 'information_link', method: 'GET' }
  return {
    name,
    message,
    debug_id: debugId,
    ...(details.length > 0 && { details }),
    links: [information, ...links],
  }
}
