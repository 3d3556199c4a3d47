import type { DisputeCase } from '../../aftersale/disputes/dispute.contract.ts'
import { attachFile, detachFile } from '../../aftersale/disputes/evidenceFile.contract.ts'
import { freeBeside } from '../../aftersale/disputes/evidenceFile.rules.ts'
import { EvidenceFiles } from '../../aftersale/disputes/EvidenceFiles.tsx'
import { call } from '../../kit/call.client.ts'
import { shortId } from '../../orders/number.rules.ts'

type DisputeFilesProps = {
  file: Pick<DisputeCase, 'id' | 'orderId' | 'files' | 'canSubmit'>
  refresh: () => Promise<unknown>
}

export const DisputeFiles = ({ file: { id, orderId, files, canSubmit }, refresh }: DisputeFilesProps) => (
  <div className="card">
    <EvidenceFiles
      title={`Evidence for order #${shortId(orderId)}`}
      files={files}
      free={freeBeside(files)}
      canChange={canSubmit}
      hrefOf={(file) => `/api/admin/disputes/${id}/files/${file.id}`}
      attach={(file) => call(attachFile, { id, ...file }).finally(refresh)}
      detach={(fileId) => call(detachFile, { id, fileId }).finally(refresh)}
    />
  </div>
)
