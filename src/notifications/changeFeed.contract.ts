/** Where an open page listens for news (server-sent events). Each event's data is one of the topics. */
export const NEWS_LINE = 'GET /api/events'

/** What may have changed: one's orders, one's conversation with the store, or (for staff) any conversation. */
export const TOPICS = ['orders', 'chat', 'inbox'] as const
export type Topic = (typeof TOPICS)[number]
