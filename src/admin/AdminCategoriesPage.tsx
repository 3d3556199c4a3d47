import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import '../catalogue/categories/categories.css'
import type { CategoryWords } from '../catalogue/categories/CategoryDialog.tsx'
import { CategoryIcon } from '../catalogue/categories/CategoryIcon.tsx'
import {
  addCategory,
  type CategoryBook,
  changeCategory,
  type EditedCategory,
  getCategoryBook,
  orderCategories,
  removeCategory,
} from '../catalogue/categories/editor.contract.ts'
import { categoriesQuery } from '../catalogue/useCatalogue.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { query } from '../kit/query/query.client.ts'
import { moved } from '../kit/values/moved.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { RowsSkeleton, StaffPage } from './StaffPage.tsx'

const CategoryDialog = lazyDialog(() => import('../catalogue/categories/CategoryDialog.tsx'), 'CategoryDialog')
const ConfirmDialog = lazyDialog(() => import('../ui/ConfirmDialog.tsx'), 'ConfirmDialog')
const book = query(getCategoryBook, {})

type CategoryDialogState =
  { kind: 'edit'; category: EditedCategory | null } | { kind: 'remove'; category: EditedCategory }

export function AdminCategoriesPage() {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery({ ...book, refetchOnMount: 'always' })
  const [asked, setAsked] = useState<CategoryDialogState & { isOpen: boolean }>()
  const close = () => setAsked(asked && { ...asked, isOpen: false })
  const act = useMutation({
    mutationFn: (work: () => Promise<CategoryBook>) => work(),
    onSuccess: (now) => {
      cache.setQueryData(book.queryKey, now)
      void cache.invalidateQueries({ queryKey: categoriesQuery.queryKey })
    },
  })
  const run = (work: () => Promise<CategoryBook>) =>
    act.mutate(work, {
      onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save it. Please try again.'),
    })
  const save = (words: CategoryWords) =>
    act.mutateAsync(() =>
      asked?.category ? call(changeCategory, { id: asked.category.id, ...words }) : call(addCategory, words),
    )
  const ask = (next: CategoryDialogState) => setAsked({ ...next, isOpen: true })
  const ids = data?.categories.map(({ id }) => id) ?? []
  const move = (from: number, to: number) => run(() => call(orderCategories, { ids: moved(ids, from, to) }))
  return (
    <StaffPage
      title="Categories"
      about="In the order of the shop."
      action={
        data && (
          <Button icon={<Plus className="icon" aria-hidden />} onClick={() => ask({ kind: 'edit', category: null })}>
            Add a category
          </Button>
        )
      }
    >
      {isError && !data ? (
        <ErrorState title="Couldn’t load the categories" onRetry={() => void refetch()} />
      ) : !data ? (
        <RowsSkeleton label="Loading the categories" />
      ) : (
        <ol className="list">
          {data.categories.map((category, i) => (
            <CategoryRow
              key={category.id}
              category={category}
              icon={data.icons[category.icon]}
              isFirst={i === 0}
              isLast={i === ids.length - 1}
              onMove={(by) => move(i, i + by)}
              onEdit={() => ask({ kind: 'edit', category })}
              onRemove={() => ask({ kind: 'remove', category })}
            />
          ))}
        </ol>
      )}
      {data && asked?.kind === 'edit' && (
        <CategoryDialog
          isOpen={asked.isOpen}
          onClose={close}
          category={asked.category}
          icons={data.icons}
          onSave={save}
        />
      )}
      {asked?.kind === 'remove' && (
        <ConfirmDialog
          isOpen={asked.isOpen}
          onClose={close}
          title={`Remove ${asked.category.name}?`}
          label="Remove"
          tone="bad"
          onConfirm={() => run(() => call(removeCategory, { id: asked.category.id }))}
        >
          It has no products.
        </ConfirmDialog>
      )}
    </StaffPage>
  )
}

type CategoryRowProps = {
  category: EditedCategory
  icon: string | undefined
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onEdit: () => void
  onRemove: () => void
}

const CategoryRow = ({ category, icon, isFirst, isLast, onMove, onEdit, onRemove }: CategoryRowProps) => (
  <li className="list__row row--wrap">
    <CategoryIcon path={icon ?? ''} />
    <span className="grow category wrap-anywhere">
      <strong>{category.name}</strong>
      <small>{describe(category)}</small>
    </span>
    <span className="row row--nowrap gap-1">
      <IconButton
        label={`Move ${category.name} up`}
        icon={<ArrowUp className="icon" aria-hidden />}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={`Move ${category.name} down`}
        icon={<ArrowDown className="icon" aria-hidden />}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
      <IconButton label={`Edit ${category.name}`} icon={<Pencil className="icon" aria-hidden />} onClick={onEdit} />
      {!category.hasProducts && (
        <IconButton
          label={`Remove ${category.name}`}
          icon={<Trash2 className="icon" aria-hidden />}
          onClick={onRemove}
        />
      )}
    </span>
  </li>
)

const describe = ({ isCash, earnsBonus, sellsPrograms }: EditedCategory): string =>
  [
    isCash ? 'As good as money' : 'Ordinary goods',
    earnsBonus ? 'earns the bonus' : 'earns no bonus',
    ...(sellsPrograms ? ['sells programs'] : []),
  ].join(', ')
