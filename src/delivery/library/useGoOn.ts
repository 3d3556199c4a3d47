import { pagesOf } from '../../kit/query/list.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { useList } from '../../kit/query/useList.ts'
import { findGoOn } from './goOn.rules.ts'
import { listLibrary } from './owned.contract.ts'

export const goOnQuery = pagesOf(listLibrary, { limit: 5, sort: 'opened' })

/** What the member reads, plays or learns at the moment. Null without such goods. */
export const useGoOn = () => findGoOn(useList({ ...goOnQuery, refetchOnMount: useAlways() }).items)
