import { QueryObserver } from '@tanstack/react-query'
import { query, queryClient } from '../kit/query/query.client.ts'
import { createStore } from '../kit/store.client.ts'
import type { getChatStatus } from './chat/chat.contract.ts'

/** A link in a mail opens the chat by its hash. */
export const chatIsOpen = createStore(location.hash === '#chat', false)

/** Staff have answered since the member last read the chat. */
export const chatHasReply = createStore(false)

/** Reads the status of the chat, and again whenever the change feed names the chat. Returns how to stop it. */
export const followReplies = (status: typeof getChatStatus): (() => void) =>
  new QueryObserver(queryClient, query(status, {})).subscribe(({ data }) =>
    chatHasReply.set(data?.hasReply === true && !chatIsOpen.read()),
  )
