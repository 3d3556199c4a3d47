/** Server-sent events for open pages. Each event's data is one topic. */
export const CHANGE_FEED_LINE = 'GET /api/events'

/** What may have changed: the member's orders, sales or conversation, or (for staff) any conversation. */
export const TOPICS = ['orders', 'sales', 'chat', 'inbox'] as const
export type Topic = (typeof TOPICS)[number]

/** Not a change: `typing` says that staff type to the member, `typing:<id>` to staff that this customer does. */
export const TYPING = 'typing'
