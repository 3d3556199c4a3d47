// The provider's error answers.

export type Problem = { issue: string; field?: string; value?: string; location?: 'body' | 'path' | 'header' }

/** Becomes the provider's error body; the call's transaction rolls back. */
export class Refusal extends Error {
  readonly status: number
  readonly problems: Problem[]
  constructor(status: number, problems: Problem[] = []) {
    super(problems[0]?.issue ?? STATUSES[status]!.name)
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
  422: {
    name: 'UNPROCESSABLE_ENTITY',
    message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
  },
  500: { name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error has occurred.' },
  503: { name: 'SERVICE_UNAVAILABLE', message: 'Service Unavailable.' },
}

const ISSUES: Record<string, { status: number; description: string }> = {
  AMOUNT_MISMATCH: { status: 422, description: 'The amount is not the sum of its breakdown.' },
  CANNOT_BE_ZERO_OR_NEGATIVE: { status: 422, description: 'The amount must be more than zero.' },
  CAPTURE_FULLY_REFUNDED: { status: 422, description: 'The capture has been refunded in full.' },
  CURRENCY_MISMATCH: { status: 422, description: 'All amounts of an order are in one currency.' },
  DUPLICATE_INVOICE_ID: { status: 422, description: 'The invoice has been paid.' },
  INSTRUMENT_DECLINED: { status: 422, description: 'The instrument was declined.' },
  INVALID_PARAMETER_SYNTAX: { status: 400, description: 'The value does not have the expected form.' },
  INVALID_RESOURCE_ID: { status: 404, description: 'The id is unknown.' },
  ITEM_TOTAL_MISMATCH: { status: 422, description: 'The item total is not the sum of the items.' },
  MALFORMED_REQUEST_JSON: { status: 400, description: 'The body is not a well-formed JSON object.' },
  MISSING_REQUIRED_PARAMETER: { status: 400, description: 'A required field is missing.' },
  ORDER_ALREADY_CAPTURED: { status: 422, description: 'The order has been captured. An order is captured once.' },
  ORDER_NOT_APPROVED: { status: 422, description: 'The payer has not approved the order.' },
  PAYPAL_REQUEST_ID_REQUIRED: { status: 400, description: 'A charge in one step needs a PayPal-Request-Id.' },
  PERMISSION_DENIED: { status: 403, description: 'This token does not allow the call.' },
  PREVIOUS_REQUEST_IN_PROGRESS: { status: 409, description: 'A request with the same id is in progress.' },
  REFUND_AMOUNT_EXCEEDED: { status: 422, description: 'The refund is more than the rest of the capture.' },
  REFUND_CAPTURE_CURRENCY_MISMATCH: { status: 422, description: 'The refund must have the currency of its capture.' },
  REFUND_NOT_ALLOWED: { status: 422, description: 'The capture cannot be refunded.' },
  TOKEN_ID_NOT_FOUND: { status: 422, description: 'The token is unknown.' },
}

export const refusalFor = (issue: keyof typeof ISSUES, where: Omit<Problem, 'issue'> = {}) =>
  new Refusal(ISSUES[issue]!.status, [{ issue, ...where }])

export const notFound = () => refusalFor('INVALID_RESOURCE_ID', { location: 'path' })

/** The provider's error body. */
export function describeRefusal({ status, problems }: Refusal, debugId: string, links: object[] = []) {
  const { name, message } = STATUSES[status]!
  const details = problems.map((problem) => ({ ...problem, description: ISSUES[problem.issue]!.description }))
  const help = `https://developer.paypal.com/docs/api/orders/v2/#error-${problems[0]?.issue ?? name}`
  return {
    name,
    message,
    debug_id: debugId,
    ...(details.length > 0 && { details }),
    links: [{ href: help, rel: 'information_link', method: 'GET' }, ...links],
  }
}
