import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Clock, Copy, Eye, FileKey, Monitor, Plus, Undo2, Unplug } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Note } from '../../ui/Note.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { describeRefusal, isRefused } from '../refusal.rules.ts'
import { DeviceForm } from './DeviceForm.tsx'
import {
  getLicense,
  type LicenseDevice,
  makeLicenseFile,
  type OwnedLicense,
  removeDevice,
  revealLicense,
} from './ownedLicense.contract.ts'

type LicenseSheetProps = {
  orderId: string
  lineId: string
  title: string
  onClose: () => void
  onRefused: () => void
}

export function LicenseSheet({ orderId, lineId, title, onClose, onRefused }: LicenseSheetProps) {
  const line = { id: orderId, lineId }
  const { data: license, isError, refetch } = useQuery({ ...query(getLicense, line), refetchOnMount: 'always' })
  const cache = useQueryClient()
  const show = (changed: OwnedLicense) => cache.setQueryData(keyOf(getLicense, line), changed)
  return (
    <Dialog isOpen onClose={onClose} title={title} description={license && describeLicense(license)}>
      <DialogBody>
        {license ? (
          <div className="stack gap-4">
            <StateNote license={license} />
            <LicenseKey line={line} masked={license.masked} onRefused={onRefused} />
            <Devices line={line} license={license} onChange={show} />
          </div>
        ) : isError ? (
          <ErrorState title="Couldn’t load the licence" onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="12rem" />
        )}
      </DialogBody>
      <DialogFoot>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

type Line = { id: string; lineId: string }

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

const describeLicense = ({ seats, limit, expiresAt }: OwnedLicense) =>
  [
    `Licence key for ${seats > 1 ? `${seats} seats, ${countOf(limit, 'device')} in all` : countOf(limit, 'device')}.`,
    expiresAt ? `It is good until ${formatDay(expiresAt)}.` : 'It doesn’t expire.',
  ].join(' ')

function StateNote({ license: { state, reason, expiresAt } }: { license: OwnedLicense }) {
  if (state === 'revoked')
    return (
      <Note Icon={Ban} title="Revoked by the seller">
        {reason}
      </Note>
    )
  if (state === 'expired')
    return (
      <Note Icon={Clock} title="Expired">
        The software accepted it until {formatDay(expiresAt!)}.
      </Note>
    )
  if (state === 'active') return null
  return (
    <Note Icon={Undo2} title={state === 'frozen' ? 'Closed for now' : 'Refunded'}>
      {state === 'frozen' ? 'A refund or a dispute of the order is open.' : 'The software no longer accepts the key.'}
    </Note>
  )
}

type LicenseKeyProps = { line: Line; masked: string; onRefused: () => void }

function LicenseKey({ line, masked, onRefused }: LicenseKeyProps) {
  const [key, setKey] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const reveal = async () => {
    setBusy(true)
    try {
      setKey((await call(revealLicense, line)).key)
    } catch (error) {
      toastFailure(error, describeRefusal(error, 'We couldn’t show the key. Please try again.'))
      if (isRefused(error)) onRefused()
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="code" aria-live="polite">
      <output className="mono wrap-anywhere" aria-label="Licence key">
        {key ?? masked}
      </output>
      {key ? (
        <IconButton
          label="Copy key"
          icon={<Copy className="icon" aria-hidden />}
          onClick={() => void copyText(key, 'The key')}
        />
      ) : (
        <Button
          tone="soft"
          icon={<Eye className="icon" aria-hidden />}
          aria-label="Reveal the licence key"
          isBusy={isBusy}
          onClick={() => void reveal()}
        >
          Reveal
        </Button>
      )}
    </div>
  )
}

type DevicesProps = { line: Line; license: OwnedLicense; onChange: (changed: OwnedLicense) => void }

function Devices({ line, license: { devices, limit, state }, onChange }: DevicesProps) {
  const [isAdding, setAdding] = useState(false)
  const [busy, setBusy] = useState<string | null>(null)
  const isOpen = state === 'active'

  async function act(id: string, work: () => Promise<void>) {
    setBusy(id)
    try {
      await work()
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'That didn’t work. Please try again.')
    } finally {
      setBusy(null)
    }
  }
  const remove = ({ id, fileUntil }: LicenseDevice) =>
    act(id, async () => {
      onChange(await call(removeDevice, { ...line, deviceId: id }))
      const description =
        fileUntil && new Date(fileUntil) > new Date()
          ? `Its licence file works until ${formatDay(fileUntil)}, and keeps the place until then.`
          : 'The software stops there when it checks its key next.'
      toast({ title: 'Device removed', description })
    })
  const download = ({ id }: LicenseDevice) =>
    act(id, async () => {
      const { fileName, text } = await call(makeLicenseFile, { ...line, deviceId: id })
      const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
      startDownload(address, fileName)
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    })

  return (
    <section className="stack gap-2" aria-label="Devices">
      <div className="row row--between">
        <h3>Devices</h3>
        <p className="small muted num" role="status">
          {devices.length} of {limit} in use
        </p>
      </div>
      {devices.length > 0 && (
        <ul className="list">
          {devices.map((device) => (
            <li key={device.id} className="list__row">
              <Monitor className="icon" aria-hidden />
              <span className="grow wrap-anywhere">
                <strong className="text-14">{device.name || 'A device without a name'}</strong>
                <small className="num">
                  {device.isRemoved
                    ? `Removed. Its licence file keeps the place until ${formatDay(device.fileUntil!)}`
                    : `Last seen ${formatDay(device.seenAt)}${device.fileUntil ? `, file until ${formatDay(device.fileUntil)}` : ''}`}
                </small>
              </span>
              {isOpen && !device.isRemoved && (
                <IconButton
                  label={`Licence file for ${device.name || 'this device'}`}
                  icon={<FileKey className="icon" aria-hidden />}
                  disabled={busy === device.id}
                  onClick={() => void download(device)}
                />
              )}
              {!device.isRemoved && (
                <IconButton
                  label={`Remove ${device.name || 'this device'}`}
                  icon={<Unplug className="icon" aria-hidden />}
                  disabled={busy === device.id}
                  onClick={() => void remove(device)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {devices.length === 0 && <p className="small muted">None yet. Enter the key in the software to add one.</p>}
      {isOpen && devices.length < limit && !isAdding && (
        <Button
          tone="quiet"
          className="self-start"
          icon={<Plus className="icon" aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add a device without internet
        </Button>
      )}
      {isAdding && (
        <DeviceForm
          line={line}
          onCancel={() => setAdding(false)}
          onAdded={(changed) => {
            setAdding(false)
            onChange(changed)
          }}
        />
      )}
    </section>
  )
}
