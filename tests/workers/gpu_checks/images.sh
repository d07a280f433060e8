# Training on ImageNet's images gives the same losses whether the GPU or the host decodes them.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
# ImageNet's images as the GPU draws them, beside the host's; where nvJPEG can't be had, that is said and the host draws.
check pictures_check 240 0,77 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/pictures_check"
figures pictures_check 'images/s|nvJPEG|NOT OK'
row jpegs_made "$build/tests/workers/pictures_check" make jpegs 256
images=(env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet18 --precision fp32 --batch-size 32 --num-classes 2 --steps 16
  --learning-rate 0.003 --data-mode imagenet --data-dir jpegs --deadline 90)
check images_host 120 0 "${images[@]}" --decoder host --results images_host.json
check images_auto 120 0 "${images[@]}" --results images_auto.json
# shellcheck disable=SC2317 # called by row
# images_alike RESULTS OF_HOST: the same losses whoever decodes, up to what decoders round otherwise.
images_alike() {
  python3 - "$@" << 'END'
import json, sys
auto, host = (json.load(open(path)) for path in sys.argv[1:])
print(auto["reader"], host["reader"], auto["losses"], host["losses"], auto["shares"], host["shares"])
assert host["reader"]["decoder"] == "libjpeg-turbo" and host["reader"]["images_by_nvjpeg"] == 0
assert abs(auto["losses"][0] - host["losses"][0]) < 0.01 * host["losses"][0] and auto["losses"][-1] < auto["losses"][0]
assert auto["reader"]["decoder"] == "libjpeg-turbo" or auto["reader"]["images_by_nvjpeg"] > 0 == auto["reader"]["images_by_host"]
END
}
row images_alike images_alike images_auto.json images_host.json
row jpeg_cut_off truncate -s 40000 jpegs/n01440764/ILSVRC2012_val_00000008.JPEG
check images_cut_off 120 3 "${images[@]}"
has images_cut_off 'ILSVRC2012_val_00000008.JPEG is damaged or cut off'
