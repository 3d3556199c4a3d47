/** Server-sent events for open pages. The data of each event is a topic. */
export const CHANGE_FEED_LINE = 'GET /api/events'

/** Topics of changes: the member's orders, sales or conversation, or (for staff) any conversation. */
export const TOPICS = ['orders', 'sales', 'chat', 'inbox'] as const
export type Topic = (typeof TOPICS)[number]

/** Not a change: members get `typing` while staff type to them. Staff get `typing:<id>` while this customer types. */
export const TYPING = 'typing'

/** Not a change: staff get `here:<id>:<id of staff>:<first name>` while a colleague has this conversation open. */
export const HERE = 'here'
