#include "fd_pass.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

bool fd_send(int socket, const void *bytes, size_t size, int fd)
{
    union control control = {.bytes = {0}};
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    ssize_t sent;

    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        continue;
    return sent == (ssize_t)size;
}

ssize_t fd_receive(int socket, void *bytes, size_t size, int *fd)
{
    union control control;
    struct iovec piece = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t length = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const struct cmsghdr *header = length >= 0 ? CMSG_FIRSTHDR(&message) : NULL;

    *fd = -1;
    if (header != NULL && header->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(header), sizeof *fd);
    return length;
}
