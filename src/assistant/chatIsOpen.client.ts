import { createStore } from '../kit/store.client.ts'

/** Whether the chat is open. A link in a mail opens it by its hash. */
export const chatIsOpen = createStore(location.hash === '#chat')
