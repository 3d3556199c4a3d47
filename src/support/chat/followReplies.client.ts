import { QueryObserver } from '@tanstack/react-query'
import { chatHasReply, chatIsOpen } from '../../assistant/chatState.client.ts'
import { query, queryClient } from '../../kit/query/query.client.ts'
import { getChatStatus } from './chat.contract.ts'

export const followReplies = (): (() => void) =>
  new QueryObserver(queryClient, query(getChatStatus, {})).subscribe(({ data }) =>
    chatHasReply.set(data?.hasReply === true && !chatIsOpen.read()),
  )
