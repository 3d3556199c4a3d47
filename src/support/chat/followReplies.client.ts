import { QueryObserver } from '@tanstack/react-query'
import { chatHasReply, chatIsOpen } from '../../assistant/chatState.client.ts'
import { query, queryClient } from '../../kit/query/query.client.ts'
import { getChatStatus } from './chat.contract.ts'

/** Reads the status of the chat, and again whenever the change feed names the chat. Returns how to stop it. */
export const followReplies = (): (() => void) =>
  new QueryObserver(queryClient, query(getChatStatus, {})).subscribe(({ data }) =>
    chatHasReply.set(data?.hasReply === true && !chatIsOpen.read()),
  )
