import { createStore } from '../kit/store.client.ts'

/** A link in a mail opens the chat by its hash. */
export const chatIsOpen = createStore(location.hash === '#chat', false)

/** Staff have answered since the member last read the chat. */
export const chatHasReply = createStore(false)
