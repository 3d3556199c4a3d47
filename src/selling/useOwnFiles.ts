import { useState } from 'react'
import { useFreshProduct } from '../catalogue/add-product/useAddProduct.ts'
import { arrangeFiles, type ProductDetail, setProductFiles } from '../catalogue/catalogue.contract.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { inOrder } from '../kit/query/query.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import type { Uploaded } from '../uploads/uploader.rules.ts'
import type { OwnDetail, OwnFile } from './selling.contract.ts'

type Place = { isAnother?: boolean; fileId?: string; note?: string }

export function useOwnFiles({ id, files }: OwnDetail) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const refresh = useFreshProduct()

  async function change(run: () => Promise<ProductDetail>, otherwise: string): Promise<ProductDetail | null> {
    setProblem(null)
    setBusy(true)
    try {
      // each change depends on the file count after the previous change
      const product = await inOrder(`files ${id}`, run)
      refresh(product)
      return product
    } catch (error) {
      setProblem(reasonOf(error, isRefusal) ?? otherwise)
      return null
    } finally {
      setBusy(false)
    }
  }

  async function upload({ url }: Uploaded, place: Place): Promise<boolean> {
    const run = () => call(setProductFiles, { id, digitalFileURL: url, ...place })
    const product = await change(run, 'We couldn’t add the file. Please try again.')
    if (!product) return false
    const description =
      files.length > 0
        ? `New buyers get ${place.isAnother ? 'it too' : 'this file'}. Earlier buyers keep theirs.`
        : product.isActive
          ? 'Your product is on sale.'
          : 'Put your product on sale when you’re ready.'
    toast({ title: place.fileId ? 'File replaced' : 'File added', description })
    return true
  }

  const arrange = async (next: Pick<OwnFile, 'id' | 'name'>[], removedId?: string): Promise<boolean> => {
    const wanted = next.map((file) => ({ id: file.id, name: file.name }))
    const run = () => call(arrangeFiles, { id, files: wanted, ...(removedId && { removedId }) })
    return (await change(run, 'We couldn’t change the files. Please try again.')) !== null
  }
  return { upload, arrange, problem, isBusy }
}
