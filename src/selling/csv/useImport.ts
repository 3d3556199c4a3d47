import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { listOwnProducts } from '../selling.contract.ts'
import {
  getImport,
  type Import,
  type ImportRow,
  listImportRows,
  type RowView,
  startImport,
  undoImport,
} from './csv.contract.ts'
import { sendFile } from './sendFile.client.ts'

const LOOK_EVERY_MS = 500
const PAGE = 50

export function useImport() {
  const cache = useQueryClient()
  const [id, setId] = useState<string | null>(null)
  const [share, setShare] = useState(0)
  const keep = (found: Import) => {
    cache.setQueryData(keyOf(getImport, { id: found.id }), found)
    setId(found.id)
  }
  const refreshOwn = () => cache.invalidateQueries({ queryKey: keyOf(listOwnProducts, {}).slice(0, 1) })

  const reading = useMutation({
    mutationFn: ({ file, category }: { file: File; category: string }) => {
      setShare(0)
      return sendFile(file, { category, onSent: setShare })
    },
    onMutate: () => setId(null),
    onSuccess: keep,
  })
  const { data: found = null } = useQuery({
    ...query(getImport, { id: id ?? '' }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_EVERY_MS : false),
  })
  const starting = useMutation({
    mutationFn: (skipsBad: boolean) => call(startImport, { id: id!, skipsBad }),
    onSuccess: keep,
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t start the import. Please try again.'),
  })
  const undoing = useMutation({
    mutationFn: () => call(undoImport, { id: id! }),
    onSuccess: ({ deleted, kept }) => {
      setId(null)
      const left = kept === 1 ? 'One stays, because you changed it.' : `${kept} stay, because you changed them.`
      toast({
        title: `${deleted} ${deleted === 1 ? 'draft' : 'drafts'} deleted`,
        description: kept > 0 ? left : undefined,
      })
      void refreshOwn()
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t undo the import. Please try again.'),
  })
  const isDone = found?.state === 'done'
  useEffect(() => {
    if (isDone) void refreshOwn()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each import
  }, [isDone, id])
  const problem = reading.error
    ? (reasonOf(reading.error, isRefusal) ?? 'We couldn’t read the file. Check your connection and try again.')
    : null
  return {
    found,
    isReading: reading.isPending,
    share,
    problem,
    read: (file: File, category: string) => reading.mutate({ file, category }),
    isStarting: starting.isPending,
    start: (skipsBad: boolean) => starting.mutate(skipsBad),
    isUndoing: undoing.isPending,
    undo: () => undoing.mutate(),
    reset: () => {
      reading.reset()
      setId(null)
    },
  }
}

export const useImportRows = (id: string, state: RowView) =>
  useInfiniteQuery({
    queryKey: [...keyOf(listImportRows, { id, state }), 'pages'],
    queryFn: ({ pageParam }: { pageParam: number }) => call(listImportRows, { id, state, after: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (page: ImportRow[]) => (page.length < PAGE ? undefined : page.at(-1)!.number),
  })
