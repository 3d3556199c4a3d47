import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '../../kit/query/query.client.ts'
import { getHelpArticle, listHelp } from './help.contract.ts'

/** Debounce of the search while typing, in milliseconds. */
const REST = 150

export const articleQuery = (slug: string) => query(getHelpArticle, { slug })

/** All articles, or those that match `question`. Earlier results stay until the next arrive. */
export function useHelp(question: string) {
  const q = useRested(question.trim())
  return useQuery({ ...query(listHelp, q ? { q } : {}), placeholderData: keepPreviousData })
}

export const useArticle = (slug: string) => useQuery(articleQuery(slug))

function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
