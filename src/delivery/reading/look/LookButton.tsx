import { ALargeSmall } from 'lucide-react'
import { IconButton } from '../../../ui/IconButton.tsx'
import { lazyDialog } from '../../../ui/lazyPart.tsx'
import { useDialog } from '../../../ui/useDialog.ts'

const LookDialog = lazyDialog(() => import('./LookDialog.tsx'), 'LookDialog')

export function LookButton({ hasText }: { hasText: boolean }) {
  const dialog = useDialog()
  return (
    <>
      <IconButton
        label={hasText ? 'Text and paper' : 'Paper'}
        icon={<ALargeSmall className="icon" aria-hidden />}
        onPointerEnter={() => void LookDialog.preload()}
        onClick={dialog.open}
      />
      {dialog.isWanted && <LookDialog {...dialog.props} hasText={hasText} />}
    </>
  )
}
