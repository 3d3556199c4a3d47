import { createStore } from '../kit/store.client.ts'

/** A link in a mail opens the chat by its hash. */
export const chatIsOpen = createStore(location.hash === '#chat')
