/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between kernels, each with the version that brought it. */
#ifndef COMPAT_BPF_H
#define COMPAT_BPF_H

/*
 * v5.18 brought frames of more than one buffer, and with them the helper that
 * knows their length (0165cc817075). Older kernels never see the call: the
 * verifier has removed it, as steer_config is constant.
 */
static __always_inline __u64 frame_len(struct xdp_md *ctx)
{
	if (steer_config.frags)
		return bpf_xdp_get_buff_len(ctx);
	return (void *)(long)ctx->data_end - (void *)(long)ctx->data;
}

#endif
