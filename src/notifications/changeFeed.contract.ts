/** Server-sent events for open pages. Each event's data is one topic. */
export const CHANGE_FEED_LINE = 'GET /api/events'

/** What may have changed: the member's orders, sales or conversation, or (for staff) any conversation. */
export const TOPICS = ['orders', 'sales', 'chat', 'inbox'] as const
export type Topic = (typeof TOPICS)[number]

/** Not a change. Its event adds who types: see `src/support/chat/typing.rules.ts`. */
export const TYPING = 'typing'
