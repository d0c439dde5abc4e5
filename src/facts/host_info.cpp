// The process-wide HostInfo.
#include "facts/host_info.h"

namespace shapecast {

std::string HostInfo::fingerprint() const {
    std::string all = unexpectedField;
    for (bool flag : {whereChecksIntegers, complexByAnnexG, sumIsCompensated, unpackErrorHasCount,
                      meshgridViewsAreTuples, castsSaturate})
        all += flag ? '1' : '0';
    for (const auto &[reference, own] : messages)
        all += reference + '\0' + own + '\0';
    return all;
}

std::string_view HostInfo::message(std::string_view reference) const {
    const auto found = messages.find(reference);
    return found == messages.end() ? reference : std::string_view(found->second);
}

std::string HostInfo::messageOf(std::string_view reference,
                                std::initializer_list<std::string_view> names) const {
    std::string text(message(reference));
    size_t number = 0;
    for (std::string_view name : names) {
        const std::string placeholder = "{" + std::to_string(number++) + "}";
        if (const size_t at = text.find(placeholder); at != std::string::npos)
            text.replace(at, placeholder.size(), name);
    }
    return text;
}

HostInfo &hostInfo() {
    static HostInfo info;
    return info;
}

} // namespace shapecast
