import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const ViewDialog = lazyDialog(() => import('./ViewDialog.tsx'), 'ViewDialog')

export function ViewButton({ id, name }: { id: string; name: string }) {
  const dialog = useDialog()
  return (
    <>
      <Button onClick={dialog.open}>See the shop as this member</Button>
      {dialog.isWanted && <ViewDialog {...dialog.props} id={id} name={name} />}
    </>
  )
}
